/**
 * A change to a resource, put on top of what it is now: the manager replaces the whole resource at an update, so what
 * somebody else changed meanwhile must be in what is sent. Pure.
 */
import type { ResourceBody } from '../../../api/managers/resourceBody.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { Resource } from '../../../api/managers/resourceTypes.ts';

/** Fields that a person can edit by hand; amounts and children have operations of their own. */
export const editableFields = ['resource_name', 'resource_class', 'resource_description'] as const;
export type EditableField = (typeof editableFields)[number];

export interface Edit {
  readonly fields: Partial<Record<EditableField, string>>;
  /** Attributes that are set; `undefined` removes one. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A field that was edited here and changed by somebody else since it was opened. */
export interface Conflict {
  /** The field, or `attributes.` and the key. */
  readonly field: string;
  readonly opened: unknown;
  readonly now: unknown;
  readonly mine: unknown;
}

/** @param opened as it was when the form was opened @param now as the manager has it */
export function mergeEdit(
  opened: Resource,
  now: Resource,
  edit: Edit,
): { readonly body: ResourceBody; readonly conflicts: readonly Conflict[] } {
  const conflicts: Conflict[] = [];
  const note = (field: string, before: unknown, current: unknown, mine: unknown): void => {
    if (!sameJson(before, current) && !sameJson(current, mine))
      conflicts.push({ field, opened: before, now: current, mine });
  };
  const fields = Object.entries(edit.fields) as [EditableField, string][];
  for (const [field, mine] of fields) note(field, opened[field], now[field], mine);
  const attributes = { ...now.attributes };
  for (const [key, mine] of Object.entries(edit.attributes)) {
    note(`attributes.${key}`, opened.attributes?.[key], now.attributes?.[key], mine);
    if (mine === undefined) delete attributes[key];
    else attributes[key] = mine as (typeof attributes)[string];
  }
  const body = { ...now, ...Object.fromEntries(fields), attributes } as ResourceBody;
  return { body, conflicts };
}

/** Those that the person hasn't seen and accepted as they are now. */
export function openConflicts(conflicts: readonly Conflict[], accepted: readonly Conflict[]): readonly Conflict[] {
  return conflicts.filter(
    ({ field, now }) => !accepted.some((seen) => seen.field === field && sameJson(seen.now, now)),
  );
}

/** Whether the resource has all that was edited. */
export function isEdited(resource: Resource, { fields, attributes }: Edit): boolean {
  return (
    Object.entries(fields).every(([field, mine]) => sameJson(resource[field], mine)) &&
    Object.entries(attributes).every(([key, mine]) => sameJson(resource.attributes?.[key], mine))
  );
}

export const isEmptyEdit = ({ fields, attributes }: Edit): boolean =>
  Object.keys(fields).length === 0 && Object.keys(attributes).length === 0;
