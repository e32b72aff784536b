/** Adds a new resource at its place in one request, which the manager does as a whole, and never over another. */
import { ManagerError } from '../../../../api/client/managerError.ts';
import type { ResourceBody } from '../../../../api/managers/resourceBody.ts';
import { resourcesTexts } from '../texts.ts';
import type { ResourceCommands } from './useOperate.ts';

type Client = Pick<ResourceCommands, 'addResource' | 'pushResource' | 'getResource'>;

/** Where it goes: `null` for the top level; without a key it is pushed. */
export type AddTo = { readonly parentId: string; readonly key: string | null } | null;

/**
 * With its place among its own fields the store itself refuses a place that is taken, where putting a child there would
 * take out what is in it; and the manager needs not write the whole container again for each well.
 * @param isAgain it was sent before, and nobody knows what came of it: it is looked for first
 * @throws ManagerError what the manager refuses; Error where somebody took the place meanwhile
 */
export async function addChild(
  client: Client,
  body: ResourceBody & { readonly resource_id?: string | undefined },
  to: AddTo,
  isAgain: boolean,
): Promise<'added' | 'there'> {
  if (isAgain && (await isThere(client, body.resource_id ?? ''))) return 'there';
  try {
    if (to === null) await client.addResource({ body });
    else if (to.key === null) await client.pushResource({ resource_id: to.parentId, body: { child: body } });
    else await client.addResource({ body: { ...body, parent_id: to.parentId, key: to.key } });
  } catch (error) {
    // SQLite's and PostgreSQL's words for two children with one key.
    if (error instanceof ManagerError && /unique constraint/i.test(error.reason))
      throw new Error(resourcesTexts.adding.taken, { cause: error });
    throw error;
  }
  return 'added';
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
