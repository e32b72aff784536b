/**
 * Where the workcell and location managers of MADSci 0.7.1 differ from those of 0.8.1 in what the suite asks. A test
 * takes what it expects from this table, so that it says by version what is so; a test of something that came with 0.8
 * says in front of 0.7.1 that it isn't there.
 */
import { expect, it } from 'vitest';
import type { Endpoint } from '../../../api/client/endpoint.ts';
import { locationApi } from '../../../api/managers/location.ts';
import { workcellApi } from '../../../api/managers/workcell.ts';
import type { MadsciVersion } from '../target.ts';
import { type itOnRealLab, locations, nobody, raw, refusal, target, workcell } from './lab.ts';

interface Behaviour {
  /** `nodes_reachable` of the workcell's health, of so many configured nodes. */
  readonly nodesReachable: (configured: number) => number;
  /** By what a location is addressed in a path; the other is a 404. */
  readonly locationInPath: 'location_name' | 'location_id';
  /** The status of a location that is added again as it is: refused, or stored over the old one. */
  readonly sameLocationAgain: 409 | 200;
  /** The status of a location whose name has a space, or whose representations are null. */
  readonly anyLocation: 422 | 200;
  /** The status of a filter by who manages a location: known, so a wrong one is refused; or ignored. */
  readonly wrongManagedBy: 422 | 200;
  /** What becomes of a `resource_id` that is given when a location is made. */
  readonly existingResource: 'dropped' | 'kept';
}

const table: Readonly<Record<MadsciVersion, Behaviour>> = {
  '0.8.1': {
    nodesReachable: () => 0,
    locationInPath: 'location_name',
    sameLocationAgain: 409,
    anyLocation: 422,
    wrongManagedBy: 422,
    existingResource: 'dropped',
  },
  '0.7.1': {
    nodesReachable: (configured) => configured,
    locationInPath: 'location_id',
    sameLocationAgain: 200,
    anyLocation: 200,
    wrongManagedBy: 200,
    existingResource: 'kept',
  },
};

/** What the lab in front of the suite does. */
export const expected: Behaviour = table[target.madsci];

/** What can have come with 0.8, by manager. */
const newer = {
  workcell: { api: workcellApi, client: workcell },
  location: { api: locationApi, client: locations },
} as const;

/** On the wire there is nothing at the endpoint's address, and our client says so without asking. */
async function isMissing(key: keyof typeof newer, name: string): Promise<void> {
  const { api, client } = newer[key];
  const endpoint = (api.endpoints as Readonly<Record<string, Endpoint>>)[name];
  if (endpoint?.since === undefined) throw new Error(`${name} did not come with 0.8`);
  const { status } = await raw(key, endpoint.path.slice(1).replaceAll(/\{\w+\}/g, nobody), { method: endpoint.method });
  expect([404, 405], name).toContain(status);
  const call = (client as unknown as Readonly<Record<string, () => Promise<unknown>>>)[name];
  expect(await refusal(call?.() ?? Promise.resolve()), name).toMatchObject({
    status: null,
    reason: expect.stringContaining('MADSci 0.7') as string,
  });
}

/** A test of endpoints that came with 0.8. */
export function since08(
  what: string,
  key: keyof typeof newer,
  endpoints: readonly string[],
  test: () => Promise<void>,
  run: typeof it | typeof itOnRealLab = it,
): void {
  if (target.madsci === '0.8.1') run(what, test);
  else
    it(`is missing in ${target.madsci}: ${what}`, async () => {
      for (const name of endpoints) await isMissing(key, name);
    });
}
