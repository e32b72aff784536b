/**
 * Saves an edit: under the advisory lock, on top of what the resource is now. MADSci has no stronger guard: a program
 * that doesn't ask for the lock can still write between the reading and the update.
 */
import type { Client } from '../../../api/client/client.ts';
import { ManagerError } from '../../../api/client/managerError.ts';
import type { resourceApi } from '../../../api/managers/resource.ts';
import type { Resource } from '../../../api/managers/resourceTypes.ts';
import { NotConfirmedError } from '../commands/commandResult.ts';
import { openConflicts, type Conflict } from '../commands/conflicts.ts';
import { isEdited, mergeEdit, type Edit } from './mergeEdit.ts';
import { resourceTexts } from './texts.ts';

type ResourceClient = Pick<
  Client<typeof resourceApi>,
  'lockResource' | 'unlockResource' | 'getResource' | 'updateResource'
>;

/** Enough for a read and a write; it ends by itself when this page is gone, in seconds. */
const lockSeconds = 30;

type SaveResult =
  | { readonly saved: Resource }
  /** Somebody else changed the same: nothing was written. */
  | { readonly conflicts: readonly Conflict[]; readonly now: Resource };

/**
 * @param holder name under which the lock is taken
 * @param accepted what a person has seen of others' changes and overwrites: those fields as they were then
 * @throws ManagerError with 409 where another program holds the lock; NotConfirmedError where the answer lacks the edit
 */
export async function saveEdit(
  client: ResourceClient,
  { opened, edit, holder, accepted }: { opened: Resource; edit: Edit; holder: string; accepted: readonly Conflict[] },
): Promise<SaveResult> {
  const { resource_id: id } = opened;
  const lock = { resource_id: id, client_id: holder };
  // Who has locked it by hand keeps that lock, for as long as it was meant.
  const isHeld = opened.locked_by === holder;
  if (!isHeld) await client.lockResource({ ...lock, lock_duration: lockSeconds });
  try {
    const now = await client.getResource({ resource_id: id });
    const { body, conflicts } = mergeEdit(opened, now, edit);
    const open = openConflicts(conflicts, accepted);
    if (open.length > 0) return { conflicts: open, now };
    // Its own lock is no field of the resource.
    const { locked_by: _by, locked_until: _until, ...rest } = body;
    const saved = await client.updateResource({ body: (isHeld ? body : rest) as typeof body });
    if (saved.resource_id !== id || !isEdited(saved, edit)) throw new NotConfirmedError(resourceTexts.notSaved);
    return { saved };
  } finally {
    // It ends by itself in any case.
    if (!isHeld)
      await client.unlockResource(lock).catch((error: unknown) => {
        if (!(error instanceof ManagerError)) throw error;
      });
  }
}
