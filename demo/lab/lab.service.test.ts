import { afterEach, describe, expect, it, vi } from 'vitest';
import { experimentApi } from '../../api/managers/experiment.ts';
import { locationApi } from '../../api/managers/location.ts';
import { managerKeys } from '../../api/managers.ts';
import { workcellState } from '../../api/managers/workcell.ts';
import { workflows } from '../../api/managers/workflow.ts';
import { naiveText } from '../base/clock.ts';
import { postControl, getJson, startTestLab, stopLabs } from './testLabs.ts';
import { readDefinition } from '../workcell/definition.ts';
import { submit } from '../workcell/start.ts';

afterEach(stopLabs);

it('the demo lab serves six healthy managers and five nodes on loopback', async () => {
  const { lab } = await startTestLab();
  for (const key of managerKeys) {
    const url = lab.context[`${key}_server_url`];
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect(await getJson(`${url}health`), key).toMatchObject({ healthy: true });
    expect(await getJson(`${url}settings`), key).toHaveProperty('settings');
  }
  const state = workcellState.parse(await getJson(`${lab.context.workcell_server_url}state`));
  expect(Object.keys(state.nodes)).toHaveLength(5);
  for (const node of lab.nodes) {
    const response = await fetch(`${node.url}status`, { headers: { Origin: 'http://page' } });
    expect(await response.json()).toMatchObject({ ready: true });
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
  }
});

it('the demo lab is the same for the same seed and clock, and differs for another seed', async () => {
  const dumps: unknown[] = [];
  for (const seed of [3, 3, 4]) {
    const { lab } = await startTestLab({ seed, past: true });
    dumps.push([
      await getJson(`${lab.context.workcell_server_url}workflows/archived`),
      await getJson(`${lab.context.experiment_server_url}experiments`),
    ]);
  }
  expect(dumps[1]).toEqual(dumps[0]);
  expect(dumps[2]).not.toEqual(dumps[0]);
});

it('the demo lab has a history: a campaign in progress with workflows, data and events', async () => {
  const { lab } = await startTestLab({ past: true });
  const all = workflows.parse(await getJson(`${lab.context.workcell_server_url}workflows/archived?number=0`));
  expect(Object.keys(all).length).toBeGreaterThan(20);
  const experiments = experimentApi.endpoints.getExperiments.response.parse(
    await getJson(`${lab.context.experiment_server_url}experiments?number=10`),
  );
  const statuses = experiments.map((one) => one.status);
  expect(statuses.toSorted()).toEqual(['completed', 'completed', 'in_progress']);
  expect(await getJson(`${lab.context.data_server_url}datapoints`)).not.toEqual({});
  expect(await getJson(`${lab.context.event_server_url}events`)).not.toEqual({});
});

it('the demo lab starts with an inventory, whose resources the arm moves', async () => {
  const { lab, clock } = await startTestLab();
  const all = locationApi.endpoints.getLocations.response.parse(
    await getJson(`${lab.context.location_server_url}locations`),
  );
  const resourceAt = (name: string) => all.find((place) => place.location_name === name)?.resource_id ?? '';
  const childrenAt = async (name: string) => {
    const body = (await getJson(`${lab.context.resource_server_url}resource/${resourceAt(name)}`)) as {
      children: { resource_name: string }[];
    };
    return body.children;
  };
  const [plate] = await childrenAt('liquidhandler_1.deck_1');
  expect(plate).toMatchObject({ resource_name: 'plate_101' });

  const base = lab.context.workcell_server_url;
  const steps = [
    {
      name: 'move',
      action: 'transfer',
      args: { source: 'liquidhandler_1.deck_1', target: 'advanced_example_node.nest' },
    },
  ];
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Move', steps });
  const id = (await (await fetch(`${base}workflow_definition`, { method: 'POST', headers, body })).json()) as string;
  const form = new URLSearchParams({ workflow_definition_id: id });
  const submitted = (await (await fetch(`${base}workflow`, { method: 'POST', body: form })).json()) as {
    workflow_id: string;
  };
  clock.advance(60_000);
  expect(await getJson(`${base}workflow/${submitted.workflow_id}`)).toMatchObject({ status: { completed: true } });
  expect(await childrenAt('liquidhandler_1.deck_1')).toEqual([]);
  expect((await childrenAt('advanced_example_node.nest'))[0]?.resource_name).toBe('plate_101');
});

it('the demo lab runs a workflow that is submitted over its port', async () => {
  const { lab, clock } = await startTestLab();
  const base = lab.context.workcell_server_url;
  const steps = [{ name: 'count', node: 'advanced_example_node', action: 'count_bytes', files: { document: 'doc' } }];
  const definition = { name: 'Upload', parameters: { file_inputs: [{ key: 'doc' }] }, steps };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${base}workflow_definition`, {
    method: 'POST',
    body: JSON.stringify(definition),
    headers,
  });
  const form = new FormData();
  form.set('workflow_definition_id', String(await response.json()));
  form.set('file_input_paths', '{"doc": "notes.txt"}');
  form.append('files', new Blob(['hello']), 'doc');
  const started = (await (await fetch(`${base}workflow`, { method: 'POST', body: form })).json()) as {
    workflow_id: string;
  };
  clock.advance(10_000);
  const finished = (await getJson(`${base}workflow/${started.workflow_id}`)) as {
    status: { completed: boolean };
    steps: { result: { datapoints: { json_result: string } } }[];
  };
  expect(finished.status.completed).toBe(true);
  const id = finished.steps[0]?.result.datapoints.json_result ?? '';
  expect(await getJson(`${lab.context.data_server_url}datapoint/${id}`)).toMatchObject({
    value: { count: 5, unit: 'bytes' },
  });
});

describe('faults of the demo lab', () => {
  it('stop a manager and restart it at the same address', async () => {
    const { lab } = await startTestLab();
    const url = `${lab.context.event_server_url}health`;
    expect((await postControl(lab, 'faults', { manager: 'event', fault: 'down' })).body).toMatchObject({
      managers: { event: { kind: 'down' } },
    });
    await expect(fetch(url)).rejects.toThrow();
    await postControl(lab, 'faults', { manager: 'event', fault: null });
    expect((await fetch(url)).status).toBe(200);
  });

  it('delay a manager by the clock of the lab', async () => {
    const { lab, clock } = await startTestLab();
    await postControl(lab, 'faults', { manager: 'data', fault: 'slow', ms: 5000 });
    const pendingBefore = clock.pendingCount;
    let isDone = false;
    const pending = fetch(`${lab.context.data_server_url}health`).then(() => {
      isDone = true;
    });
    await vi.waitFor(() => expect(clock.pendingCount).toBe(pendingBefore + 1));
    clock.advance(4999);
    // A response to the first request would have arrived before this one.
    expect((await fetch(`${lab.context.event_server_url}health`)).status).toBe(200);
    expect(isDone).toBe(false);
    clock.advance(1);
    await pending;
  });

  it('make a node unreachable or errored until the fault is withdrawn', async () => {
    const { lab, clock } = await startTestLab();
    const node = () => getJson(`${lab.context.workcell_server_url}node/robotarm_1`);
    await postControl(lab, 'faults', { node: 'robotarm_1', fault: 'errored' });
    clock.advance(2000);
    expect(await node()).toMatchObject({ status: { errored: true, disconnected: false } });
    await postControl(lab, 'faults', { node: 'robotarm_1', fault: 'unreachable' });
    clock.advance(2000);
    expect(await node()).toMatchObject({ status: { errored: true, disconnected: true } });
    await postControl(lab, 'faults', { node: 'robotarm_1', fault: null });
    clock.advance(40_000);
    expect(await node()).toMatchObject({ status: { ready: true } });
  });

  it('shift the clock for stored times and for the Date header of every response', async () => {
    const { lab, clock } = await startTestLab();
    const correctTime = clock.now();
    await postControl(lab, 'faults', { clock_error_ms: -90_000 });
    const response = await fetch(`${lab.context.event_server_url}event`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await response.json()).toMatchObject({ event_timestamp: naiveText(correctTime - 90_000) });
    expect(Date.parse(response.headers.get('date') ?? '')).toBe(correctTime - 90_000);
    expect((await postControl(lab, 'faults', { clock_error_ms: 0 })).body).toMatchObject({ clock_error_ms: 0 });
    expect(clock.now()).toBe(correctTime);
  });

  it('stop the engine of the workcell, which starts no step until the fault is withdrawn', async () => {
    const { lab, clock } = await startTestLab();
    const { store } = lab.managers.workcell;
    const state = () => getJson(`${lab.context.workcell_server_url}state`);
    expect((await postControl(lab, 'faults', { workcell: 'errored' })).body).toMatchObject({ workcell: 'errored' });
    const definition = readDefinition(
      { name: 'Wait', steps: [{ name: 'w', action: 'wait', args: { seconds: 1 } }] },
      () => 'D'.repeat(26),
    );
    const run = submit(store, definition, { values: {}, filePaths: {}, files: [], ownership: {} });
    clock.advance(60_000);
    expect(await state()).toMatchObject({
      status: { errored: true, ok: false, errors: [{ error_type: 'ConnectionError' }] },
      workflow_queue: [{ status: { queued: true } }],
      nodes: { robotarm_1: { status: { ready: true } } },
    });
    await postControl(lab, 'faults', { workcell: null });
    clock.advance(20_000);
    expect(run.flags.completed).toBe(true);
    expect(await state()).toMatchObject({ status: { errored: false, ok: true, errors: [] } });
  });

  it.each([
    ['an unknown node', { node: 'nix', fault: null }, {}, 404],
    ['an unknown manager', { manager: 'x', fault: null }, {}, 422],
    ['a page', { clock_error_ms: 0 }, { origin: 'http://page' }, 403],
    ['a body that is not JSON', { clock_error_ms: 0 }, { 'content-type': 'text/plain' }, 415],
  ])('are rejected for %s', async (_what, body, headers, status) => {
    const { lab } = await startTestLab();
    expect((await postControl(lab, 'faults', body, headers)).status).toBe(status);
  });
});

describe('a scaled demo lab', () => {
  it('contains the requested numbers of workflows and nodes', async () => {
    const { lab } = await startTestLab({ past: true });
    await postControl(lab, 'scale', { workflows: 500, events: 2000, resources: 100, nodes: 200 });
    const base = lab.context.workcell_server_url;
    expect(Object.keys((await getJson(`${base}workflows/archived?number=0`)) as object).length).toBeGreaterThan(500);
    const nodes = (await getJson(`${base}nodes`)) as Record<string, { status: { ready: boolean } }>;
    expect(Object.values(nodes).filter((node) => node.status.ready)).toHaveLength(200);
  });

  it('has nodes that execute commands and actions, and can fail', async () => {
    const { lab, clock } = await startTestLab();
    await postControl(lab, 'scale', { nodes: 12 });
    const base = lab.context.workcell_server_url;
    const node = async () =>
      (await getJson(`${base}node/node_010`)) as { info: object; status: Record<string, unknown> };
    expect(await node()).toMatchObject({ info: { node_name: 'node_010' }, status: { ready: true } });
    const command = async (path: string) => (await fetch(`${base}admin/${path}`, { method: 'POST' })).json();
    expect(await command('lock/node_010')).toMatchObject({ success: true });
    clock.advance(2000);
    expect((await node()).status).toMatchObject({ locked: true, ready: false });
    expect(await command('unlock/node_010')).toMatchObject({ success: true });

    const steps = [{ name: 's', node: 'node_010', action: 'every_argument', args: { whole: 1 } }];
    const definition = readDefinition({ name: 'Echo', steps }, () => 'D'.repeat(26));
    const request = { values: {}, filePaths: {}, files: [], ownership: {} };
    const run = submit(lab.managers.workcell.store, definition, request);
    clock.advance(20_000);
    expect(run.flags.completed).toBe(true);

    await postControl(lab, 'faults', { node: 'node_010', fault: 'unreachable' });
    clock.advance(2000);
    expect((await node()).status).toMatchObject({ disconnected: true });
    await postControl(lab, 'faults', { node: 'node_010', fault: null });
    clock.advance(30_000);
    expect((await node()).status).toMatchObject({ ready: true });
  });
});
