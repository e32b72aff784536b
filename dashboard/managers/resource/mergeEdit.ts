/**
 * Applies an edit to the current state of a resource: an update replaces the whole resource, so the request must include
 * changes by others. Pure.
 */
import type { ResourceBody } from '../../../api/managers/resourceBody.ts';
import { sameJson } from '../../base/sameJson.ts';
import { conflictsIn, type Conflict } from '../commands/conflicts.ts';
import type { Resource } from '../../../api/managers/resourceTypes.ts';

/** Fields that users can edit; amounts and children have their own operations. */
export const editableFields = ['resource_name', 'resource_class', 'resource_description'] as const;
export type EditableField = (typeof editableFields)[number];

export interface Edit {
  readonly fields: Partial<Record<EditableField, string>>;
  /** The edited attributes; `undefined` removes one. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** @param opened the resource when the form was opened @param now the manager's current one */
export function mergeEdit(
  opened: Resource,
  now: Resource,
  edit: Edit,
): { readonly body: ResourceBody; readonly conflicts: readonly Conflict[] } {
  const fields = Object.entries(edit.fields) as [EditableField, string][];
  const changes = Object.entries(edit.attributes);
  const conflicts = conflictsIn([
    ...fields.map(([field, value]) => ({
      field,
      openedValue: opened[field],
      currentValue: now[field],
      editedValue: value,
    })),
    ...changes.map(([key, value]) => ({
      field: `attributes.${key}`,
      openedValue: opened.attributes?.[key],
      currentValue: now.attributes?.[key],
      editedValue: value,
    })),
  ]);
  const attributes = { ...now.attributes };
  for (const [key, mine] of changes) {
    if (mine === undefined) delete attributes[key];
    else attributes[key] = mine as (typeof attributes)[string];
  }
  const body = { ...now, ...Object.fromEntries(fields), attributes } as ResourceBody;
  return { body, conflicts };
}

/** Whether the resource contains all edits. */
export function isEdited(resource: Resource, { fields, attributes }: Edit): boolean {
  return (
    Object.entries(fields).every(([field, mine]) => sameJson(resource[field], mine)) &&
    Object.entries(attributes).every(([key, mine]) => sameJson(resource.attributes?.[key], mine))
  );
}

export const isEmptyEdit = ({ fields, attributes }: Edit): boolean =>
  Object.keys(fields).length === 0 && Object.keys(attributes).length === 0;
