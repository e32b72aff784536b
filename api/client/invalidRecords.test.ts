import { describe, expect, it } from 'vitest';
import { dataApi } from '../managers/data.ts';
import { eventApi } from '../managers/event.ts';
import { experimentApi } from '../managers/experiment.ts';
import { locationApi } from '../managers/location.ts';
import { resourceApi } from '../managers/resource.ts';
import { workcellApi, type Nodes } from '../managers/workcell.ts';
import events from '../samples/events.json' with { type: 'json' };
import experiments from '../samples/experiments.json' with { type: 'json' };
import datapoints from '../samples/datapoints.json' with { type: 'json' };
import locations from '../samples/locations.json' with { type: 'json' };
import resources from '../samples/resource_of_each_type.json' with { type: 'json' };
import templates from '../samples/resource_template_info.json' with { type: 'json' };
import state from '../samples/workcell_state.json' with { type: 'json' };
import active from '../samples/workflow_active.json' with { type: 'json' };
import * as z from 'zod/mini';
import { getInvalidRecords, parseValidRecords } from './invalidRecords.ts';
import { createClient } from './client.ts';
import type { Api } from './endpoint.ts';

function clientReturning<const A extends Api>(api: A, body: unknown) {
  return createClient(api, { baseUrl: 'http://lab/', fetch: async () => Response.json(body), maxRetryMs: 0 });
}
const callEndpoint = (api: Api, endpoint: string, body: unknown): Promise<unknown> =>
  (clientReturning(api, body) as unknown as Record<string, (input: unknown) => Promise<unknown>>)[endpoint]?.({
    body: {},
  }) ?? Promise.reject(new Error('No such endpoint.'));

const firstValue = (all: unknown): unknown => Object.values(all as object)[0];
const workflow = firstValue(active);

describe('a list with invalid records', () => {
  it.each<[string, Api, string, unknown]>([
    ['workflows', workcellApi, 'getActiveWorkflows', workflow],
    ['archived workflows', workcellApi, 'getArchivedWorkflows', workflow],
    ['events', eventApi, 'getEvents', firstValue(events)],
    ['queried events', eventApi, 'queryEvents', firstValue(events)],
    ['datapoints', dataApi, 'getDatapoints', firstValue(datapoints)],
    ['queried datapoints', dataApi, 'queryDatapoints', firstValue(datapoints)],
  ])('the client skips invalid records in a map of %s and reports them', async (_name, api, endpoint, good) => {
    const body = { A: good, B: null, C: { name: 'odd', status: 7 }, D: good };
    const response = await callEndpoint(api, endpoint, body);
    expect(Object.keys(response as object)).toEqual(['A', 'D']);
    expect(getInvalidRecords(response)).toMatchObject([{ name: 'B' }, { name: 'odd' }]);
  });

  it.each<[string, Api, string, unknown]>([
    ['queued workflows', workcellApi, 'getWorkflowQueue', workflow],
    ['experiments', experimentApi, 'getExperiments', firstValue(experiments)],
    ['locations', locationApi, 'getLocations', firstValue(locations)],
    ['resources', resourceApi, 'queryResources', firstValue(resources)],
  ])('the client skips invalid records in a list of %s and reports them', async (_name, api, endpoint, good) => {
    const response = await callEndpoint(api, endpoint, [good, null, { name: 'odd' }, good]);
    expect(response).toHaveLength(2);
    expect(getInvalidRecords(response)).toMatchObject([{ name: '1' }, { name: 'odd' }]);
  });

  it('the client keeps a rack when the plate in one of its slots is invalid', async () => {
    const asset = (id: string) => ({ resource_id: id, resource_name: id, base_type: 'asset' });
    const rack = {
      resource_id: 'R',
      resource_name: 'rack',
      base_type: 'container',
      children: { a: asset('P1'), b: { ...asset('P2'), quantity: 'many' } },
    };
    const response = (await callEndpoint(resourceApi, 'queryResources', [rack])) as { children: object }[];
    expect(response[0]?.children).toEqual({ a: asset('P1') });
    expect(getInvalidRecords(response)).toMatchObject([{ name: 'P2', reason: expect.stringContaining('quantity') }]);
  });

  it('the client rejects a response that is not a list', async () => {
    await expect(callEndpoint(workcellApi, 'getActiveWorkflows', { detail: 'broken' })).rejects.toThrow();
    await expect(callEndpoint(workcellApi, 'getNodes', { detail: 'broken' })).rejects.toThrow();
    await expect(callEndpoint(resourceApi, 'getTemplates', templates)).rejects.toThrow();
  });

  it('the client reports no invalid record when all records are valid', async () => {
    expect(getInvalidRecords(await callEndpoint(workcellApi, 'getState', state))).toEqual([]);
  });
});

describe('the nodes of a workcell with one invalid node', () => {
  const node = firstValue(state.nodes) as { status: object; info: object };
  const good = { ...node, node_url: 'http://lab:2000/' };
  const { busy: _busy, ...withoutBusy } = { ...good.status, locked: true } as Record<string, unknown>;
  async function readNodes(odd: unknown) {
    const response = (await callEndpoint(workcellApi, 'getNodes', { good, odd })) as Nodes;
    expect(Object.keys(response)).toEqual(['good', 'odd']);
    expect(response['good']?.status).toEqual(good.status);
    return { odd: response['odd'], invalid: getInvalidRecords(response) };
  }
  const commands = { capabilities: { admin_commands: ['lock', 'safety_stop'] }, node_name: 'odd' };

  it('the client keeps the flags of a node whose errors are null', async () => {
    const { odd } = await readNodes({ ...good, status: { ...good.status, locked: true, errors: null } });
    expect(odd).toMatchObject({ node_url: good.node_url, status: { locked: true } });
  });

  it('the client sets a missing flag to false, keeps the others and reports the missing one', async () => {
    const { odd, invalid } = await readNodes({ ...good, status: withoutBusy });
    expect(odd?.status).toMatchObject({ busy: false, locked: true });
    expect(invalid).toMatchObject([{ name: 'odd', reason: expect.stringContaining('status.busy') }]);
  });

  it('the client lists a node that is null and reports it', async () => {
    const { odd, invalid } = await readNodes(null);
    expect(odd).toEqual({ node_url: null, status: null, info: null, state: null });
    expect(invalid).toHaveLength(1);
  });

  it('the client keeps the commands and the address of a node whose description is invalid', async () => {
    const { odd } = await readNodes({ ...good, info: { ...commands, actions: 'none' }, status: 'fine' });
    expect(odd).toMatchObject({ node_url: good.node_url, status: null, info: commands });
  });

  it('the client reads a node with 40,000 errors and a large table of settings', async () => {
    const errors = Array.from({ length: 40_000 }, (_, index) => ({ message: `error ${index}` }));
    const { odd, invalid } = await readNodes({
      ...good,
      status: { ...good.status, errors, config_values: { table: 'x'.repeat(430_000) } },
    });
    expect(odd?.status?.errors).toHaveLength(40_000);
    expect(invalid).toEqual([]);
  });
});

it('a record is reported by its own index and reason after another record was removed before it', () => {
  const schema = z.array(z.object({ name: z.string(), amount: z.number() }));
  const salvage = (record: unknown) => record;
  const valid = { name: 'C', amount: 1 };
  const parsed = parseValidRecords(schema, [5, { name: 'B', amount: 'many' }, valid], [{ member: '', salvage }]);
  expect(parsed).toEqual({ ok: true, data: [valid] });
  expect(getInvalidRecords(parsed.ok ? parsed.data : null)).toMatchObject([
    { name: '0' },
    { name: 'B', reason: expect.stringMatching(/^amount: /) },
  ]);
});
