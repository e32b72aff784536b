/**
 * Saves an edit under the advisory lock, applied to the current state of the resource. MADSci has no stronger protection:
 * a program that ignores the lock can still write between the read and the update.
 */
import type { Client } from '#api/client/client.ts';
import { ManagerError } from '#api/client/managerError.ts';
import type { resourceApi } from '#api/managers/resource.ts';
import type { Resource } from '#api/managers/resourceTypes.ts';
import { NotConfirmedError } from '../commands/commandResult.ts';
import { unacceptedConflicts, type Conflict } from '../commands/conflicts.ts';
import { containsEdit, mergeEdit, type Edit } from './mergeEdit.ts';

type ResourceClient = Pick<
  Client<typeof resourceApi>,
  'lockResource' | 'unlockResource' | 'getResource' | 'updateResource'
>;

/** In seconds. Enough for a read and a write; the lock expires without an unlock when this page is closed. */
const lockSeconds = 30;

type SaveResult =
  | { readonly saved: Resource }
  /** Another user changed the same fields: nothing was written. */
  | { readonly conflicts: readonly Conflict[]; readonly current: Resource };

/**
 * @param holder name for the lock
 * @param accepted changes by others that the user has seen and overwrites, with their values at that time
 * @throws ManagerError with 409 if another program has the lock; NotConfirmedError if the response lacks the edit
 */
export async function saveEdit(
  client: ResourceClient,
  {
    initialResource,
    edit,
    holder,
    accepted,
  }: { initialResource: Resource; edit: Edit; holder: string; accepted: readonly Conflict[] },
): Promise<SaveResult> {
  const { resource_id: id } = initialResource;
  const lock = { resource_id: id, client_id: holder };
  // A lock that the user set by hand stays, with its own duration.
  const isLockedByUs = initialResource.locked_by === holder;
  if (!isLockedByUs) await client.lockResource({ ...lock, lock_duration: lockSeconds });
  try {
    const current = await client.getResource({ resource_id: id });
    const { body, conflicts } = mergeEdit(initialResource, current, edit);
    const unaccepted = unacceptedConflicts(conflicts, accepted);
    if (unaccepted.length > 0) return { conflicts: unaccepted, current };
    // The temporary lock isn't stored with the resource.
    const { locked_by: _by, locked_until: _until, ...rest } = body;
    const saved = await client.updateResource({ body: (isLockedByUs ? body : rest) as typeof body });
    if (saved.resource_id !== id || !containsEdit(saved, edit))
      throw new NotConfirmedError(
        'The resource manager answered, but its answer does not show the edit. Check the resource before trying again.',
      );
    return { saved };
  } finally {
    // The lock expires in any case.
    if (!isLockedByUs)
      await client.unlockResource(lock).catch((error: unknown) => {
        if (!(error instanceof ManagerError)) throw error;
      });
  }
}
