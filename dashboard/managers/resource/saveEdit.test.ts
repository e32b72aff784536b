import { expect, it } from 'vitest';
import { ManagerError } from '#api/client/managerError.ts';
import type { Resource } from '#api/managers/resourceTypes.ts';
import { saveEdit } from './saveEdit.ts';

const initialResource: Resource = {
  resource_id: 'R',
  resource_name: 'tips',
  base_type: 'asset',
  attributes: { lot: 1 },
};
const createRefusal = (status: number) =>
  new ManagerError({
    kind: 'http',
    status,
    manager: 'resource',
    endpoint: 'lockResource',
    purpose: 'lock the resource',
    address: 'http://lab:8003/',
    reason: 'already locked',
  });

/** A manager that records its requests in order. */
function createManager(
  now: Resource = initialResource,
  fails: Partial<Record<'lock' | 'update' | 'unlock', number>> = {},
) {
  const requests: string[] = [];
  const sentBodies: unknown[] = [];
  const step = (name: 'lock' | 'update' | 'unlock', response: Resource): Promise<Resource> => {
    requests.push(name);
    const status = fails[name];
    return status === undefined ? Promise.resolve(response) : Promise.reject(createRefusal(status));
  };
  return {
    requests,
    sent: sentBodies,
    client: {
      lockResource: () => step('lock', now),
      unlockResource: () => step('unlock', now),
      getResource: () => {
        requests.push('get');
        return Promise.resolve(now);
      },
      updateResource: ({ body }: { readonly body: unknown }) => {
        sentBodies.push(body);
        return step('update', body as Resource);
      },
    },
  };
}
const edit = { fields: { resource_name: 'racks' }, attributes: {} };
const options = { initialResource, edit, holder: 'me', accepted: [] };

it('saveEdit reads under the lock, writes its change onto the result and unlocks', async () => {
  const { client, requests, sent } = createManager({ ...initialResource, attributes: { lot: 2 }, locked_by: 'me' });
  expect(await saveEdit(client, options)).toMatchObject({ saved: { resource_name: 'racks', attributes: { lot: 2 } } });
  expect(requests).toEqual(['lock', 'get', 'update', 'unlock']);
  expect(sent[0]).not.toHaveProperty('locked_by');
});

it('saveEdit writes nothing when another client has the lock', async () => {
  const { client, requests } = createManager(initialResource, { lock: 409 });
  await expect(saveEdit(client, options)).rejects.toMatchObject({ status: 409 });
  expect(requests).toEqual(['lock']);
});

it('saveEdit does not overwrite changes of others until the user has accepted them', async () => {
  const theirs = { ...initialResource, resource_name: 'theirs' };
  const { client, requests } = createManager(theirs);
  const first = await saveEdit(client, options);
  if (!('conflicts' in first)) throw new Error('It was saved');
  expect(requests).toEqual(['lock', 'get', 'unlock']);
  expect(await saveEdit(client, { ...options, accepted: first.conflicts })).toHaveProperty('saved');
  const later = createManager({ ...initialResource, resource_name: 'theirs again' });
  expect(await saveEdit(later.client, { ...options, accepted: first.conflicts })).toHaveProperty('conflicts');
});

it('saveEdit unlocks after a failed update and ignores a missing lock', async () => {
  const { client, requests } = createManager(initialResource, { update: 500, unlock: 403 });
  await expect(saveEdit(client, options)).rejects.toMatchObject({ status: 500 });
  expect(requests.at(-1)).toBe('unlock');
});

it('saveEdit keeps a lock that the user set', async () => {
  const locked = { ...initialResource, locked_by: 'me' };
  const { client, requests } = createManager(locked);
  await saveEdit(client, { ...options, initialResource: locked });
  expect(requests).toEqual(['get', 'update']);
});
