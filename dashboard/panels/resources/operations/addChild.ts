/** Adds a new resource at its place in one request, which the manager does as a whole, and never over another. */
import { ManagerError } from '../../../../api/client/managerError.ts';
import type { ResourceBody } from '../../../../api/managers/resourceBody.ts';
import type { Resource } from '../../../../api/managers/resourceTypes.ts';
import { NotConfirmedError } from '../../../managers/commands/commandResult.ts';
import { resourcesTexts } from '../texts.ts';
import type { ResourceCommands } from './useOperate.ts';

type Client = Pick<ResourceCommands, 'addResource' | 'pushResource' | 'getResource'>;

/** Where it goes: `null` for the top level; without a key it is pushed. */
export type AddTo = { readonly parentId: string; readonly key: string | null } | null;

/**
 * With its place among its own fields the store itself refuses a place that is taken, where putting a child there would
 * take out what is in it; and the manager needs not write the whole container again for each well.
 * @param isAgain it was sent before, and nobody knows what came of it: it is looked for first
 * @throws ManagerError what the manager refuses; Error where somebody took the place meanwhile; NotConfirmedError where
 * the answer shows something else
 */
export async function addChild(
  client: Client,
  body: ResourceBody & { readonly resource_id?: string | undefined },
  to: AddTo,
  isAgain: boolean,
): Promise<'added' | 'there'> {
  if (isAgain && (await isThere(client, body.resource_id ?? ''))) return 'there';
  try {
    const added = await sent(client, body, to);
    if (added?.resource_name !== body.resource_name) throw new NotConfirmedError(resourcesTexts.adding.otherAnswer);
  } catch (error) {
    // SQLite's and PostgreSQL's words for two children with one key.
    if (error instanceof ManagerError && /unique constraint/i.test(error.reason))
      throw new Error(resourcesTexts.adding.taken, { cause: error });
    throw error;
  }
  return 'added';
}

/** @returns what was added as the answer shows it; `undefined` where it doesn't */
async function sent(client: Client, body: Parameters<typeof addChild>[1], to: AddTo): Promise<Resource | undefined> {
  if (to === null) return client.addResource({ body });
  if (to.key !== null) return client.addResource({ body: { ...body, parent_id: to.parentId, key: to.key } });
  const parent = await client.pushResource({ resource_id: to.parentId, body: { child: body } });
  const children = Object.values(parent.children ?? {}).filter((child) => child !== null);
  return (
    children.find((child) => body.resource_id === undefined || child?.resource_id === body.resource_id) ?? undefined
  );
}

async function isThere(client: Client, id: string): Promise<boolean> {
  try {
    await client.getResource({ resource_id: id });
    return true;
  } catch (error) {
    if (error instanceof ManagerError && error.status === 404) return false;
    throw error;
  }
}
