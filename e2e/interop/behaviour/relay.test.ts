/** The contracts through the relay: what each role may read and write. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '#api/client/client.ts';
import { dataApi } from '#api/managers/data.ts';
import { eventApi } from '#api/managers/event.ts';
import { experimentApi } from '#api/managers/experiment.ts';
import { locationApi } from '#api/managers/location.ts';
import { resourceApi } from '#api/managers/resource.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import { managerKeys, type ManagerKey } from '#api/managers.ts';
import { testToken, writeAccounts } from '#server/fixtures/testUsers.ts';
import { usersFile } from '#server/access/access.ts';
import { startRelay, type Relay } from '../relay.ts';
import { data, events, experiments, uniqueName, locations, catchRefusal, resources, target, workcell } from './lab.ts';
import { hangMs, pollUntil } from '../../support/pollUntil.ts';

let relay: Relay;

beforeAll(async () => {
  relay = await startRelay(target.context);
  const { service } = relay;
  const tokens = (['viewer', 'operator'] as const).map((role) => testToken(role, role, `lmt_${role}`));
  await writeAccounts(service.statePath(usersFile), { tokens });
  const session = new URL('session', service.url);
  await pollUntil(
    async () => (await fetch(session, { headers: { authorization: 'Bearer lmt_operator' } })).text(),
    (text) => text.includes('"operator"'),
  );
});
afterAll(() => relay.stop());

/** Returns the options of a client of the manager that uses the relay with a token. */
function relayOptions(key: ManagerKey, token: string | null) {
  return {
    baseUrl: new URL(`managers/${key}/`, relay.service.url).href,
    fetch: (input: RequestInfo | URL, init?: RequestInit) => {
      const headers = new Headers(init?.headers);
      if (token !== null) headers.set('authorization', `Bearer ${token}`);
      return fetch(input, { ...init, headers });
    },
    timeoutMs: hangMs,
  };
}

interface ManagerAccess {
  /** Reads through the relay; `readDirectly` reads the same at the manager itself. */
  read(token: string | null): Promise<unknown>;
  readDirectly(): Promise<unknown>;
  /** Writes through the relay. @returns a function that reads the written object at the manager itself */
  write(token: string | null): Promise<() => Promise<unknown>>;
}

const accessByManager: Readonly<Record<ManagerKey, ManagerAccess>> = {
  event: {
    read: (token) =>
      createClient(eventApi, relayOptions('event', token)).queryEvents({ body: { event_type: 'relay' } }),
    readDirectly: () => events.queryEvents({ body: { event_type: 'relay' } }),
    async write(token) {
      const client = createClient(eventApi, relayOptions('event', token));
      const { _id } = await client.addEvent({ body: { log_level: 20, event_data: uniqueName('event') } });
      return () => events.getEvent({ event_id: _id });
    },
  },
  experiment: {
    read: (token) => createClient(experimentApi, relayOptions('experiment', token)).getExperiments({ number: 3 }),
    readDirectly: () => experiments.getExperiments({ number: 3 }),
    async write(token) {
      const client = createClient(experimentApi, relayOptions('experiment', token));
      const experiment_design = { experiment_name: 'Titration', resource_conditions: [] };
      const { _id } = await client.startExperiment({ body: { experiment_design, run_name: uniqueName('run') } });
      return () => experiments.getExperiment({ experiment_id: _id });
    },
  },
  resource: {
    read: (token) =>
      createClient(resourceApi, relayOptions('resource', token)).queryResources({ body: { multiple: true } }),
    readDirectly: () => resources.queryResources({ body: { multiple: true } }),
    async write(token) {
      const client = createClient(resourceApi, relayOptions('resource', token));
      const body = { base_type: 'stack', resource_name: uniqueName('stack') } as const;
      const { resource_id } = await client.addResource({ body });
      return () => resources.getResource({ resource_id });
    },
  },
  data: {
    read: (token) => createClient(dataApi, relayOptions('data', token)).getDatapoints({ number: 3 }),
    readDirectly: () => data.getDatapoints({ number: 3 }),
    async write(token) {
      const client = createClient(dataApi, relayOptions('data', token));
      const datapoint = { label: uniqueName('value'), data_type: 'json', value: 7 } as const;
      const { _id } = await client.addDatapoint({ body: { datapoint } });
      return () => data.getDatapoint({ datapoint_id: _id });
    },
  },
  workcell: {
    read: (token) => createClient(workcellApi, relayOptions('workcell', token)).getWorkflowQueue(),
    readDirectly: () => workcell.getWorkflowQueue(),
    async write(token) {
      const client = createClient(workcellApi, relayOptions('workcell', token));
      const definition = { name: uniqueName('workflow'), steps: [] };
      const workflow_definition_id = await client.addWorkflowDefinition({ body: definition });
      return () => workcell.getWorkflowDefinition({ workflow_definition_id });
    },
  },
  location: {
    read: (token) => createClient(locationApi, relayOptions('location', token)).getLocations(),
    readDirectly: () => locations.getLocations(),
    async write(token) {
      const client = createClient(locationApi, relayOptions('location', token));
      const { location_name, location_id } = await client.addLocation({
        body: { location_name: uniqueName('place'), representations: {} },
      });
      return () => locations.getLocation({ location_name, location_id });
    },
  },
};

describe.each(managerKeys)('the relay to the %s manager', (key) => {
  const access = accessByManager[key];

  it('returns to a viewer what the manager returns, and refuses writes with status 403', async () => {
    expect(await access.read('lmt_viewer')).toEqual(await access.readDirectly());
    expect((await catchRefusal(access.write('lmt_viewer'))).status).toBe(403);
  });

  it('passes reads and writes of an operator on', async () => {
    expect(await access.read('lmt_operator')).toEqual(await access.readDirectly());
    const readWritten = await access.write('lmt_operator');
    expect(await readWritten()).toBeTypeOf('object');
  });

  it.each([
    ['no token', null],
    ['an unknown token', 'lmt_unknown'],
  ])('refuses reads and writes with %s', async (_what, token) => {
    expect((await catchRefusal(access.read(token))).status).toBe(401);
    expect((await catchRefusal(access.write(token))).status).toBe(401);
  });
});
