/** A node through its own interface, as the workcell manager uses it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { itOnRealLab, jsonRequest, unknownId, nodeClient, nodeNames, fetchRaw, catchRefusal } from './lab.ts';
import { pollUntil } from '../../support/pollUntil.ts';
import { resetNodes } from './workflows.ts';

beforeAll(resetNodes);

const quick = nodeClient(nodeNames.quick);
const careful = nodeClient(nodeNames.careful);
const slow = nodeClient(nodeNames.slow);

/** Prepares and starts an action, and waits for its end. */
async function act(node: typeof quick, action_name: string, args: Record<string, unknown>) {
  const { action_id } = await node.createAction({ action_name, body: { args } });
  await node.startAction({ action_name, action_id });
  await pollUntil(
    () => node.getActionStatus({ action_id }),
    (status) => status !== 'running' && status !== 'not_started',
  );
  return node.getActionResult({ action_id });
}

itOnRealLab('a node returns its description, its status and its log', async () => {
  const info = await careful.getInfo();
  expect(info).toMatchObject({ node_name: nodeNames.careful });
  expect(info.capabilities?.admin_commands).toContain('lock');
  expect(await quick.getStatus()).toMatchObject({ ready: true, busy: false });
  expect(await quick.getState()).toHaveProperty('calls');
  expect(Object.values(await quick.getLog())).toContainEqual(
    expect.objectContaining({ event_type: 'unknown', event_data: expect.stringContaining('Node started') as string }),
  );
  expect((await fetchRaw({ node: nodeNames.quick }, 'health')).status).toBe(404);
  const status = await fetchRaw({ node: nodeNames.quick }, 'status', { headers: { Origin: 'http://page' } });
  expect(status.headers.has('access-control-allow-origin')).toBe(false);
});

itOnRealLab('a node accepts known settings and fails for unknown ones', async () => {
  expect(await quick.setConfig({ body: { delay: 0.5 } })).toMatchObject({ success: true });
  const unknown = await fetchRaw({ node: nodeNames.quick }, 'config', jsonRequest('POST', { colour: 'red' }));
  expect(unknown).toMatchObject({ status: 500, text: 'Internal Server Error' });
});

it('a node executes known admin commands and rejects unknown ones', async () => {
  expect(await slow.getStatus()).toMatchObject({ ready: true, busy: false });
  expect(await slow.sendCommand({ admin_command: 'pause' })).toMatchObject({ success: true });
  expect(await slow.getStatus()).toMatchObject({ paused: true, ready: false });
  expect(await slow.sendCommand({ admin_command: 'resume' })).toMatchObject({ success: true });
  const missing = await quick.sendCommand({ admin_command: 'safety_stop' });
  expect(missing).toMatchObject({ success: false, errors: [{ error_type: 'AdminCommandNotImplemented' }] });
  expect((await catchRefusal(quick.sendCommand({ admin_command: 'juggle' }))).status).toBe(422);
});

describe('an action of a node', () => {
  itOnRealLab('returns a value and is listed in the history', async () => {
    const result = await act(quick, 'every_argument', { whole: 3 });
    expect(result).toMatchObject({ status: 'succeeded', json_result: { whole: 3, real: 1.5, yes: true } });
    const { action_id } = result;
    const history = await quick.getActionHistory();
    expect(history[action_id]?.at(-1)).toMatchObject({ status: 'succeeded' });
    expect(Object.keys(await quick.getActionHistory({ action_id }))).toEqual([action_id]);
    const entries = history[action_id]?.map(({ status }) => status);
    expect(entries).toEqual(['not_started', 'running', 'succeeded']);
    expect((await catchRefusal(quick.downloadActionFiles({ action_id }))).status).toBe(404);
    expect((await catchRefusal(quick.downloadActionFiles({ action_id: unknownId }))).status).toBe(400);
    const [unknown] = (await quick.getActionHistory({ action_id: unknownId }))[unknownId] ?? [];
    expect(unknown).toMatchObject({ status: 'unknown', errors: [{ error_type: 'ActionHistoryNotFound' }] });
  });

  itOnRealLab('is unknown before its start, starts once and accepts null only for optional arguments', async () => {
    const action_name = 'every_argument';
    const { action_id } = await quick.createAction({ action_name, body: { args: { whole: 1, more: 2 } } });
    expect(await quick.getActionStatus({ action_id })).toBe('unknown');
    const result = await quick.startAction({ action_name, action_id });
    expect(result).toMatchObject({ status: 'succeeded', datapoints: null, json_result: { maybe: null } });
    expect(result.json_result).not.toHaveProperty('more');
    const secondStart = await quick.startAction({ action_name, action_id });
    expect(secondStart).toMatchObject({ status: 'failed', errors: [{ error_type: 'NotFound' }] });
    expect(await quick.getActionStatus({ action_id })).toBe('succeeded');
    const withNull = quick.createAction({ action_name, body: { args: { whole: 1, real: null } } });
    expect((await catchRefusal(withNull)).status).toBe(422);
  });

  itOnRealLab('is not started while the node is busy', async () => {
    const action_name = 'slow';
    const make = (seconds: number) => slow.createAction({ action_name, body: { args: { seconds } } });
    const [first, second] = [await make(30), await make(1)];
    expect((await slow.startAction({ action_name, ...first })).status).toBe('running');
    expect(await slow.startAction({ action_name, ...second })).toMatchObject({
      status: 'not_ready',
      errors: [{ message: 'Node is not ready: Node is busy', error_type: 'NodeNotReady' }],
    });
    await slow.sendCommand({ admin_command: 'cancel' });
    await pollUntil(
      () => slow.getActionStatus(first),
      (status) => status === 'cancelled',
    );
    expect((await catchRefusal(slow.downloadActionFiles(first))).status).toBe(400);
  });

  itOnRealLab('accepts a file and returns files as a zip', async () => {
    const action_name = 'count_bytes';
    const { action_id } = await careful.createAction({ action_name, body: { args: { unit: 'B' } } });
    const file = { document: new Blob(['1234']) };
    const uploaded = await careful.uploadFile({
      action_name,
      action_id,
      file_argument: 'document',
      body: {},
      files: file,
    });
    expect(uploaded).toMatchObject({ status: 'uploaded', file_arg: 'document' });
    await careful.startAction({ action_name, action_id });
    const result = await pollUntil(
      () => careful.getActionResult({ action_id }),
      ({ status }) => status !== 'running',
    );
    expect(result).toMatchObject({ status: 'succeeded', json_result: { count: 4, unit: 'B' } });
    const produced = await act(careful, 'make_files', { text: 'ab' });
    expect(produced.files).toEqual(['first', 'second']);
    const zip = await careful.downloadActionFiles({ action_id: produced.action_id });
    expect(new Uint8Array(await zip.arrayBuffer()).slice(0, 2)).toEqual(new Uint8Array([0x50, 0x4b]));
  });

  itOnRealLab('is rejected when its name or arguments are invalid', async () => {
    expect((await catchRefusal(quick.createAction({ action_name: 'dance', body: { args: {} } }))).status).toBe(404);
    const invalidAction = quick.createAction({ action_name: 'every_argument', body: { args: { whole: 'many' } } });
    expect((await catchRefusal(invalidAction)).status).toBe(422);
    const unknown = { action_name: 'count_bytes', action_id: unknownId, file_argument: 'document' };
    await catchRefusal(careful.uploadFile({ ...unknown, action_name: 'dance', body: {}, files: {} }));
    const nowhere = careful.uploadFile({ ...unknown, body: {}, files: { document: new Blob(['1']) } });
    expect((await catchRefusal(nowhere)).status).toBe(500);
    await catchRefusal(careful.startAction({ action_name: 'dance', action_id: unknownId }));
    expect(await quick.getActionStatus({ action_id: unknownId })).toBe('unknown');
    expect(await quick.getActionResult({ action_id: unknownId })).toMatchObject({
      status: 'unknown',
      errors: [{ error_type: 'ActionHistoryNotFound' }],
    });
  });
});
