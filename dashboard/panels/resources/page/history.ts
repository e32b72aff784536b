/** Describes the changes between the versions of a resource. */
import type { ResourceVersion } from '#api/managers/resourceTypes.ts';
import { sameJson } from '#api/sameJson.ts';
import { formatAttribute } from '../columns.ts';
import { resourcesTexts } from '../texts.ts';
import { isConsumable } from '#dashboard/managers/resource/amount.ts';
import { readUnit, type ResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { resourceTexts } from '#dashboard/managers/resource/texts.ts';

const texts = resourcesTexts.history;
const columns = resourcesTexts.columns;

interface HistoryLine {
  readonly version: number;
  /** The manager's stamp. */
  readonly stamp: string;
  readonly changes: readonly string[];
}

/** Fields whose changes are shown, with their labels. */
const trackedFields: readonly (readonly [keyof ResourceVersion & string, string])[] = [
  ['resource_name', columns.name],
  ['resource_class', columns.cls],
  ['resource_description', columns.description],
  ['quantity', resourcesTexts.operations.amountField],
  ['capacity', resourcesTexts.operations.capacityField],
  ['locked_by', columns.locked],
];

/** An amount has the unit of its version: the unit may have changed, too. */
const formatField = (name: string, version: ResourceVersion): string =>
  name === 'quantity' || name === 'capacity'
    ? formatExactAmount(version[name], readUnit(version))
    : formatValue(version[name]);
const formatExactAmount = (value: number | null | undefined, unit: string): string =>
  value === null || value === undefined ? texts.nothing : `${value} ${unit}`.trim();
/** Formats a field, whose empty text and null are no values. */
const formatValue = (value: unknown): string => (value === null || value === '' ? texts.nothing : formatStored(value));
const formatStored = (value: unknown): string => formatAttribute(value, texts.nothing);

/**
 * Returns a line for each version, newest first.
 * @param versions of one resource, in any order
 * @param getResourceName returns the name of a parent
 * @param hasMixedContents whether the contents have several units, whose sum means nothing
 */
export function toHistoryLines(
  versions: readonly ResourceVersion[],
  getResourceName: (id: string) => string,
  hasMixedContents = false,
): HistoryLine[] {
  const fields = trackedFields.filter(([name]) => !(hasMixedContents && name === 'quantity'));
  const ordered = versions.toSorted((a, b) => b.version - a.version);
  return ordered.map((version, index) => ({
    version: version.version,
    stamp: version.changed_at ?? '',
    changes: describeChanges(version, ordered[index + 1] ?? null, getResourceName, fields),
  }));
}

function describeChanges(
  version: ResourceVersion,
  previous: ResourceVersion | null,
  getResourceName: (id: string) => string,
  fields: typeof trackedFields,
): readonly string[] {
  if (version.change_type === 'Added') return ['Added'];
  if (version.change_type === 'Removed') return [texts.removed];
  if (previous === null) return [texts.updated];
  if (version.removed === true) return [texts.removed];
  if (previous.removed === true || previous.change_type === 'Removed') return ['Restored'];
  const fieldChanges = fields.flatMap(([name, title]) =>
    sameJson(previous[name], version[name])
      ? []
      : [texts.changed(title, formatField(name, previous), formatField(name, version))],
  );
  const attributes = [
    ...new Set([...Object.keys(previous.attributes ?? {}), ...Object.keys(version.attributes ?? {})]),
  ];
  const attributeChanges = attributes.flatMap((key) => {
    const [from, to] = [previous.attributes?.[key], version.attributes?.[key]];
    return sameJson(from, to) ? [] : [texts.changed(key, formatStored(from), formatStored(to))];
  });
  const placeName = createPlaceName(getResourceName);
  const moveChanges = sameJson(previous.parent_id, version.parent_id)
    ? []
    : [`Moved from ${placeName(previous.parent_id)} to ${placeName(version.parent_id)}`];
  const changes = [...moveChanges, ...fieldChanges, ...attributeChanges, ...childChanges(previous, version)];
  return changes.length === 0 ? [texts.updated] : changes;
}

/** Returns a function that returns the name of a parent. */
const createPlaceName =
  (getResourceName: (id: string) => string) =>
  (parentId: string | null | undefined): string =>
    parentId === null || parentId === undefined ? texts.nowhere : getResourceName(parentId);

function childChanges(previousVersion: ResourceVersion, currentVersion: ResourceVersion): string[] {
  const [previous, current] = [new Set(previousVersion.child_ids ?? []), new Set(currentVersion.child_ids ?? [])];
  const addedCount = [...current].filter((id) => !previous.has(id)).length;
  const removedCount = [...previous].filter((id) => !current.has(id)).length;
  return [
    ...(addedCount === 0 ? [] : [texts.childrenAdded(addedCount)]),
    ...(removedCount === 0 ? [] : [texts.childrenRemoved(removedCount)]),
  ];
}

/** Returns the last version of each removed resource, without restored ones. */
export function findRemoved(
  versions: readonly ResourceVersion[],
  exists: (id: string) => boolean,
): readonly ResourceVersion[] {
  const newest = new Map<string, ResourceVersion>();
  for (const version of versions) {
    const existing = newest.get(version.resource_id);
    if (existing === undefined || existing.version < version.version) newest.set(version.resource_id, version);
  }
  return [...newest.values()].filter(({ resource_id: id }) => !exists(id)).toSorted((a, b) => b.version - a.version);
}

interface ComparedField {
  readonly key: string;
  readonly title: string;
  readonly before: string;
  readonly now: string;
  readonly differs: boolean;
}

function compareField(
  key: string,
  title: string,
  oldValue: unknown,
  newValue: unknown,
  format = formatValue,
): ComparedField {
  const [before, now] = [format(oldValue), format(newValue)];
  return { key, title, before, now, differs: before !== now && !sameJson(oldValue, newValue) };
}

/**
 * Returns the fields that have a value in either version. The amount of a container is left out, because the manager's
 * history has no comparable value.
 * @param getResourceName returns the name of a parent
 */
export function compareVersions(
  version: ResourceVersion,
  current: ResourceRow,
  getResourceName: (id: string) => string,
): ComparedField[] {
  const placeName = createPlaceName(getResourceName);
  const compareAmount = (key: 'quantity' | 'capacity', title: string): ComparedField =>
    compareField(
      key,
      title,
      formatExactAmount(version[key], readUnit(version)),
      formatExactAmount(current[key], current.unit),
    );
  const amounts = isConsumable(current) ? [compareAmount('quantity', resourcesTexts.operations.amountField)] : [];
  const attributes = version.attributes ?? {};
  const names = [...new Set([...Object.keys(attributes), ...Object.keys(current.attributes)])].toSorted();
  const all = [
    compareField('name', columns.name, version.resource_name, current.name),
    compareField('type', columns.type, resourceTexts.type(version.base_type), resourceTexts.type(current.type)),
    compareField('class', columns.cls, version.resource_class, current.cls),
    compareField('description', columns.description, version.resource_description, current.description),
    ...amounts,
    compareAmount('capacity', resourcesTexts.operations.capacityField),
    compareField('in', columns.place, placeName(version.parent_id), placeName(current.parentId)),
    compareField('key', resourcesTexts.operations.key, version.key, current.key),
    compareField('locked', columns.locked, version.locked_by, current.lockedBy),
    compareField('template', columns.template, version.template_name, current.template),
    ...names.map((name) =>
      compareField(
        `attribute.${name}`,
        columns.attribute(name),
        attributes[name],
        current.attributes[name],
        formatStored,
      ),
    ),
  ];
  return all.filter((field) => field.before !== texts.nothing || field.now !== texts.nothing);
}
