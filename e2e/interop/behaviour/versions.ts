/**
 * The behaviour of the workcell and location managers that differs between MADSci 0.7.1 and 0.8.1. Tests read the
 * expected value from this table; a test of a feature added in 0.8 checks that 0.7.1 lacks it.
 */
import { expect, it } from 'vitest';
import type { Endpoint } from '#api/client/endpoint.ts';
import { locationApi } from '#api/managers/location.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import type { MadsciVersion } from '../target.ts';
import { type itOnRealLab, locations, unknownId, fetchRaw, catchRefusal, target, workcell } from './lab.ts';

interface Behaviour {
  /** `nodes_reachable` of the workcell's health, by the number of configured nodes. */
  readonly nodesReachable: (configured: number) => number;
  /** The parameter that identifies a location in a path; the other one returns 404. */
  readonly locationInPath: 'location_name' | 'location_id';
  /** The status for a location that is added again with the same name and ID: refused, or stored over the old one. */
  readonly repeatedLocationStatus: 409 | 200;
  /** The status for a location whose name has a space, or whose representations are null. */
  readonly invalidLocationStatus: 422 | 200;
  /** The status for an invalid `managed_by` filter: 422 if the filter is supported, 200 if it is ignored. */
  readonly invalidManagedByStatus: 422 | 200;
  /** The effect of a `resource_id` in the request that creates a location. */
  readonly existingResource: 'dropped' | 'kept';
}

const table: Readonly<Record<MadsciVersion, Behaviour>> = {
  '0.8.1': {
    nodesReachable: () => 0,
    locationInPath: 'location_name',
    repeatedLocationStatus: 409,
    invalidLocationStatus: 422,
    invalidManagedByStatus: 422,
    existingResource: 'dropped',
  },
  '0.7.1': {
    nodesReachable: (configured) => configured,
    locationInPath: 'location_id',
    repeatedLocationStatus: 200,
    invalidLocationStatus: 200,
    invalidManagedByStatus: 200,
    existingResource: 'kept',
  },
};

/** The expected behavior of the lab under test. */
export const expected: Behaviour = table[target.madsci];

/** The managers that can have endpoints new in 0.8. */
const changedManagers = {
  workcell: { api: workcellApi, client: workcell },
  location: { api: locationApi, client: locations },
} as const;

/** Checks that the server has no such endpoint, and that our client rejects the call without sending a request. */
async function expectMissing(key: keyof typeof changedManagers, name: string): Promise<void> {
  const { api, client } = changedManagers[key];
  const endpoint = (api.endpoints as Readonly<Record<string, Endpoint>>)[name];
  if (endpoint?.since === undefined) throw new Error(`${name} was not added in 0.8`);
  const { status } = await fetchRaw(key, endpoint.path.slice(1).replaceAll(/\{\w+\}/g, unknownId), {
    method: endpoint.method,
  });
  expect([404, 405], name).toContain(status);
  const call = (client as unknown as Readonly<Record<string, () => Promise<unknown>>>)[name];
  expect(await catchRefusal(call?.() ?? Promise.resolve()), name).toMatchObject({
    status: null,
    reason: expect.stringContaining('MADSci 0.7') as string,
  });
}

/** Declares a test of endpoints that were added in 0.8. */
export function itSince08(
  description: string,
  key: keyof typeof changedManagers,
  endpoints: readonly string[],
  test: () => Promise<void>,
  run: typeof it | typeof itOnRealLab = it,
): void {
  if (target.madsci === '0.8.1') run(description, test);
  else
    it(`is missing in ${target.madsci}: ${description}`, async () => {
      for (const name of endpoints) await expectMissing(key, name);
    });
}
