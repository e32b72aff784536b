/**
 * Saves an edit under the advisory lock, applied to the current state of the resource. MADSci has no stronger protection:
 * a program that ignores the lock can still write between the read and the update.
 */
import type { Client } from '#api/client/client.ts';
import { ManagerError } from '#api/client/managerError.ts';
import type { resourceApi } from '#api/managers/resource.ts';
import type { ResourceBody } from '#api/managers/resourceBody.ts';
import type { Resource } from '#api/managers/resourceTypes.ts';
import { sameJson } from '#api/sameJson.ts';
import { NotConfirmedError } from '../commands/commandResult.ts';
import { findConflicts, unacceptedConflicts, type Conflict } from '../commands/conflicts.ts';
import { getOwnLockHolder } from './lockHolder.ts';

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

/**
 * Saves an edit of the resource as it is now, without a form that has shown it.
 * @throws as `saveEdit`; Error if another user changed the same fields meanwhile
 */
export async function applyEdit(client: ResourceClient, id: string, edit: Edit): Promise<Resource> {
  const initialResource = await client.getResource({ resource_id: id });
  const result = await saveEdit(client, { initialResource, edit, holder: getOwnLockHolder(), accepted: [] });
  if ('conflicts' in result) throw new Error('It was changed meanwhile; try again.');
  return result.saved;
}

/** Fields that users can edit; amounts and children have their own operations. */
export const editableFields = ['resource_name', 'resource_class', 'resource_description'] as const;
export type EditableField = (typeof editableFields)[number];

export interface Edit {
  readonly fields: Partial<Record<EditableField, string>>;
  /** The edited attributes; `undefined` removes one. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/**
 * Applies an edit to the current state of a resource: an update replaces the whole resource, so the request must include
 * the changes of other users.
 * @param initial the resource when the form was opened
 * @param current the resource as the manager last returned it
 */
export function mergeEdit(
  initial: Resource,
  current: Resource,
  edit: Edit,
): { readonly body: ResourceBody; readonly conflicts: readonly Conflict[] } {
  const fields = Object.entries(edit.fields) as [EditableField, string][];
  const changes = Object.entries(edit.attributes);
  const conflicts = findConflicts([
    ...fields.map(([field, value]) => ({
      field,
      initialValue: initial[field],
      currentValue: current[field],
      editedValue: value,
    })),
    ...changes.map(([key, value]) => ({
      field: `attributes.${key}`,
      initialValue: initial.attributes?.[key],
      currentValue: current.attributes?.[key],
      editedValue: value,
    })),
  ]);
  const attributes = { ...current.attributes };
  for (const [key, value] of changes) {
    if (value === undefined) delete attributes[key];
    else attributes[key] = value as (typeof attributes)[string];
  }
  const body = { ...current, ...Object.fromEntries(fields), attributes } as ResourceBody;
  return { body, conflicts };
}

function containsEdit(resource: Resource, { fields, attributes }: Edit): boolean {
  return (
    Object.entries(fields).every(([field, value]) => sameJson(resource[field], value)) &&
    Object.entries(attributes).every(([key, value]) => sameJson(resource.attributes?.[key], value))
  );
}

export const isEmptyEdit = ({ fields, attributes }: Edit): boolean =>
  Object.keys(fields).length === 0 && Object.keys(attributes).length === 0;
