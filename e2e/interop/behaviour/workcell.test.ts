/** The workcell: its state, its nodes and their commands, and the workflows that it refuses to start. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  uniqueName,
  itOnRealLab,
  jsonRequest,
  unknownId,
  nodeNames,
  fetchRaw,
  catchRefusal,
  target,
  workcell,
} from './lab.ts';
import { pollUntil } from '../../support/pollUntil.ts';
import { expected } from './versions.ts';
import { quick, resetNodes, submit, wait } from './workflows.ts';

beforeAll(resetNodes);

it('the workcell manager returns its health and its settings', async () => {
  const health = await workcell.health();
  const configured = Object.keys(target.nodeUrls).length;
  expect(health).toMatchObject({ healthy: true, version: target.madsci, total_nodes: configured });
  expect(health.nodes_reachable).toBe(expected.nodesReachable(configured));
  expect(await workcell.settings()).toHaveProperty('settings.manager_id');
  expect((await fetchRaw('workcell', 'settings?include_schema=x')).status).toBe(422);
});

it('the workcell manager returns its nodes with status, actions and addresses', async () => {
  expect((await workcell.getWorkcell()).nodes).toEqual(target.nodeUrls);
  const { nodes, status, workflow_queue } = await workcell.getState();
  expect(status).toMatchObject({ ok: true, errored: false, initializing: false });
  expect(workflow_queue).toEqual([]);
  expect(Object.keys(await workcell.getNodes()).toSorted()).toEqual(Object.keys(nodes).toSorted());
  const node = await workcell.getNode({ node_name: nodeNames.careful });
  expect(node.status).toMatchObject({ ready: true, description: 'Node is ready' });
  expect(node.info?.actions['count_bytes']).toMatchObject({
    args: { unit: { argument_type: 'str', required: false, default: 'bytes' } },
    files: { document: { argument_type: 'file', required: true } },
  });
  expect(node.info?.actions['use_location']?.locations).toMatchObject({ target: { argument_type: 'location' } });
  expect(await catchRefusal(workcell.getNode({ node_name: 'nobody' }))).toMatchObject({
    status: 200,
    reason: 'Node not found!',
  });
});

describe('node commands of the workcell manager', () => {
  it('lock and unlock one node', async () => {
    const node = nodeNames.quick;
    const locked = (requested: boolean) =>
      pollUntil(
        () => workcell.getNode({ node_name: node }),
        ({ status }) => status?.locked === requested,
      );
    expect(await workcell.sendCommand({ command: 'lock', node })).toMatchObject({ success: true });
    expect((await locked(true)).status).toMatchObject({ ready: false, description: 'Node is locked' });
    await workcell.sendCommand({ command: 'unlock', node });
    await locked(false);
  });

  itOnRealLab('reach every node that supports them and leave the state of the workcell unchanged', async () => {
    const count = Object.keys(target.nodeUrls).length;
    expect(await workcell.sendCommandToAll({ command: 'lock' })).toHaveLength(count);
    expect((await workcell.getState()).status).toMatchObject({ locked: false, ok: true });
    expect(await workcell.sendCommandToAll({ command: 'unlock' })).toHaveLength(count);
    expect(await workcell.sendCommandToAll({ command: 'juggle' })).toEqual([]);
  });

  it('fail with the node’s error if the node does not support them, and with a plain 500 for an unknown node', async () => {
    const unknown = workcell.sendCommand({ command: 'juggle', node: nodeNames.quick });
    expect(await catchRefusal(unknown)).toMatchObject({
      status: 400,
      reason: 'Node cannot perform that admin command',
    });
    const unknownNode = await fetchRaw('workcell', 'admin/lock/nobody', { method: 'POST' });
    expect(unknownNode).toMatchObject({ status: 500, text: 'Internal Server Error' });
  });
});

describe('the workcell manager', () => {
  const start = async (step: Parameters<typeof submit>[0][number]) => (await catchRefusal(submit([step]))).reason;

  it('refuses to start an invalid definition, and returns the reason', async () => {
    const unknownAction = await start({ name: 'a', node: nodeNames.quick, action: 'dance' });
    expect(unknownAction).toContain(`Node ${nodeNames.quick} has no action 'dance'`);
    expect(await start({ name: 'b', node: 'nobody', action: 'x' })).toContain('Node nobody not in Workcell');
    expect(await start({ name: 'c', node: nodeNames.quick, action: 'every_argument' })).toContain("arg 'whole'");
    expect(await start({ name: 'd', action: 'juggle' })).toContain("No internal workcell action matching 'juggle'");
    const place = { name: 'e', node: nodeNames.careful, action: 'use_location', locations: { target: 'nowhere' } };
    expect(await start(place)).toContain('Location nowhere not found in Workcell');
    const parameters = { json_inputs: [{ key: 'k', parameter_type: 'json_input' }] };
    expect((await catchRefusal(submit([quick()], { definition: { parameters } }))).reason).toContain(
      'Required value k',
    );
  });

  it('requires a form with a valid ID and with parameters by name to start a workflow', async () => {
    const body = await fetchRaw('workcell', 'workflow', jsonRequest('POST', { workflow_definition_id: unknownId }));
    expect(body.status).toBe(422);
    expect(await catchRefusal(workcell.startWorkflow({ body: { workflow_definition_id: 'short' } }))).toMatchObject({
      status: 422,
      reason: 'Encoded ULID has to be exactly 26 characters long.',
    });
    const workflow_definition_id = await workcell.addWorkflowDefinition({ body: { name: 'x', steps: [wait(0)] } });
    const form = new FormData();
    form.append('workflow_definition_id', workflow_definition_id);
    form.append('json_inputs', '[1]');
    const listed = await fetchRaw('workcell', 'workflow', { method: 'POST', body: form });
    expect(listed).toMatchObject({ status: 400, json: { detail: 'Parameters must be a dictionary with string keys' } });
  });

  it('stores a definition, and rejects one with a repeated step key', async () => {
    const id = await workcell.addWorkflowDefinition({
      body: { name: 'Kept', definition_metadata: { description: 'why' }, steps: [quick()] },
    });
    const stored = await workcell.getWorkflowDefinition({ workflow_definition_id: id });
    expect(stored).toMatchObject({ name: 'Kept', definition_metadata: { description: 'why' } });
    expect((await catchRefusal(workcell.getWorkflowDefinition({ workflow_definition_id: unknownId }))).status).toBe(
      404,
    );
    const twice = { name: 'Twice', steps: [wait(1), wait(2)].map((step) => ({ ...step, key: 'same' })) };
    expect((await catchRefusal(workcell.addWorkflowDefinition({ body: twice }))).reason).toContain(
      'Step keys must be unique across workflow',
    );
  });
});

it('an added node is read, but not part of the workcell’s definition, and its name can’t be added twice', async () => {
  const node_name = uniqueName('extra');
  const node_url = target.nodeUrls[nodeNames.quick] ?? '';
  expect(await workcell.addNode({ node_name, node_url })).toMatchObject({ status: null, info: null, state: null });
  expect(await catchRefusal(workcell.addNode({ node_name, node_url }))).toMatchObject({
    status: 200,
    reason: 'Node name exists, node names must be unique!',
  });
  const nodeStatus = await pollUntil(
    () => workcell.getNode({ node_name }),
    ({ info }) => info !== null,
  );
  expect(nodeStatus.status?.ready).toBe(true);
  expect((await workcell.getWorkcell()).nodes).not.toHaveProperty(node_name);
});

// Last, because it cannot be undone.
itOnRealLab('a command for all nodes fails when one of them was never reached', async () => {
  const node_name = uniqueName('lost');
  await workcell.addNode({ node_name, node_url: 'http://127.0.0.1:9/' });
  const { status } = await pollUntil(
    () => workcell.getNode({ node_name }),
    (node) => node.status?.disconnected === true,
  );
  expect(status).toMatchObject({ errored: true, ready: false });
  expect(await fetchRaw('workcell', 'admin/unlock', { method: 'POST' })).toMatchObject({
    status: 500,
    text: 'Internal Server Error',
  });
});
