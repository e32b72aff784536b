/**
 * Applies an edit to the current state of a resource: an update replaces the whole resource, so the request must
 * include the changes of other users.
 */
import type { ResourceBody } from '#api/managers/resourceBody.ts';
import { sameJson } from '#api/sameJson.ts';
import { findConflicts, type Conflict } from '../commands/conflicts.ts';
import type { Resource } from '#api/managers/resourceTypes.ts';

/** Fields that users can edit; amounts and children have their own operations. */
export const editableFields = ['resource_name', 'resource_class', 'resource_description'] as const;
export type EditableField = (typeof editableFields)[number];

export interface Edit {
  readonly fields: Partial<Record<EditableField, string>>;
  /** The edited attributes; `undefined` removes one. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** @param initial the resource when the form was opened @param current the resource as the manager last returned it */
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

/** Returns whether the resource contains all edits. */
export function containsEdit(resource: Resource, { fields, attributes }: Edit): boolean {
  return (
    Object.entries(fields).every(([field, value]) => sameJson(resource[field], value)) &&
    Object.entries(attributes).every(([key, value]) => sameJson(resource.attributes?.[key], value))
  );
}

export const isEmptyEdit = ({ fields, attributes }: Edit): boolean =>
  Object.keys(fields).length === 0 && Object.keys(attributes).length === 0;
