/** Changes between the versions of a resource. Pure. */
import type { ResourceVersion } from '../../../../api/managers/resourceTypes.ts';
import { sameJson } from '../../../base/sameJson.ts';
import { attributeText } from '../columns.ts';
import { resourcesTexts } from '../texts.ts';
import { isConsumable } from '../../../managers/resource/amount.ts';
import type { ResourceRow } from '../../../managers/resource/resourceRow.ts';
import { resourceTexts } from '../../../managers/resource/texts.ts';

const texts = resourcesTexts.history;
const columns = resourcesTexts.columns;

interface HistoryLine {
  readonly version: number;
  /** The manager's stamp. */
  readonly stamp: string;
  readonly changes: readonly string[];
}

/** Fields whose changes are shown, with their labels. */
const tracked: readonly (readonly [keyof ResourceVersion & string, string])[] = [
  ['resource_name', columns.name],
  ['resource_class', columns.cls],
  ['resource_description', columns.description],
  ['quantity', resourcesTexts.operations.amountField],
  ['capacity', resourcesTexts.operations.capacityField],
  ['locked_by', columns.locked],
];

const text = (value: unknown): string => attributeText(value) || texts.nothing;

/** @param versions of one resource, in any order @param nameOf returns the name of a parent */
export function historyLines(versions: readonly ResourceVersion[], nameOf: (id: string) => string): HistoryLine[] {
  const ordered = versions.toSorted((a, b) => b.version - a.version);
  return ordered.map((version, index) => ({
    version: version.version,
    stamp: version.changed_at ?? '',
    changes: changesOf(version, ordered[index + 1] ?? null, nameOf),
  }));
}

function changesOf(
  now: ResourceVersion,
  before: ResourceVersion | null,
  nameOf: (id: string) => string,
): readonly string[] {
  if (now.change_type === 'Added' || before === null)
    return [now.change_type === 'Added' ? texts.added : typeLabel(now)];
  if (now.change_type === 'Removed' || now.removed === true) return [texts.removed];
  if (before.removed === true || before.change_type === 'Removed') return [texts.restored];
  const fields = tracked.flatMap(([name, title]) =>
    sameJson(before[name], now[name]) ? [] : [texts.changed(title, text(before[name]), text(now[name]))],
  );
  const attributes = [...new Set([...Object.keys(before.attributes ?? {}), ...Object.keys(now.attributes ?? {})])];
  const attributeChanges = attributes.flatMap((key) => {
    const [from, to] = [before.attributes?.[key], now.attributes?.[key]];
    return sameJson(from, to) ? [] : [texts.changed(key, text(from), text(to))];
  });
  const place = (version: ResourceVersion): string =>
    version.parent_id === null || version.parent_id === undefined ? texts.nowhere : nameOf(version.parent_id);
  const moved = sameJson(before.parent_id, now.parent_id) ? [] : [texts.moved(place(before), place(now))];
  const changes = [...moved, ...fields, ...attributeChanges, ...childChanges(before, now)];
  return changes.length === 0 ? [texts.updated] : changes;
}

function typeLabel(version: ResourceVersion): string {
  return version.change_type === 'Removed' ? texts.removed : texts.updated;
}

function childChanges(before: ResourceVersion, now: ResourceVersion): string[] {
  const [previous, current] = [new Set(before.child_ids ?? []), new Set(now.child_ids ?? [])];
  const added = [...current].filter((id) => !previous.has(id)).length;
  const removed = [...previous].filter((id) => !current.has(id)).length;
  return [...(added === 0 ? [] : [texts.put(added)]), ...(removed === 0 ? [] : [texts.childrenRemoved(removed)])];
}

/** Returns the last version of each removed resource, without restored ones. */
export function removedNow(
  versions: readonly ResourceVersion[],
  isThere: (id: string) => boolean,
): readonly ResourceVersion[] {
  const newest = new Map<string, ResourceVersion>();
  for (const version of versions) {
    const known = newest.get(version.resource_id);
    if (known === undefined || known.version < version.version) newest.set(version.resource_id, version);
  }
  return [...newest.values()].filter(({ resource_id: id }) => !isThere(id)).toSorted((a, b) => b.version - a.version);
}

interface ComparedField {
  readonly key: string;
  readonly title: string;
  readonly before: string;
  readonly now: string;
  readonly differs: boolean;
}

const shown = (value: unknown): string => attributeText(value) || texts.nothing;

function field(key: string, title: string, then: unknown, now: unknown): ComparedField {
  const [before, after] = [shown(then), shown(now)];
  return { key, title, before, now: after, differs: before !== after && !sameJson(then, now) };
}

/**
 * Returns the fields that have a value in either version. For containers the manager's history has no comparable amount,
 * and contents only of a removed one.
 * @param nameOf returns the name of a parent
 */
export function compare(then: ResourceVersion, now: ResourceRow, nameOf: (id: string) => string): ComparedField[] {
  const place = (parentId: string | null | undefined): string =>
    parentId === null || parentId === undefined ? texts.nowhere : nameOf(parentId);
  const amounts = isConsumable(now)
    ? [field('quantity', resourcesTexts.operations.amountField, then.quantity, now.quantity)]
    : [];
  const attributes = then.attributes ?? {};
  const names = [...new Set([...Object.keys(attributes), ...Object.keys(now.attributes)])].toSorted();
  const all = [
    field('name', columns.name, then.resource_name, now.name),
    field('type', columns.type, resourceTexts.type(then.base_type), resourceTexts.type(now.type)),
    field('class', columns.cls, then.resource_class, now.cls),
    field('description', columns.description, then.resource_description, now.description),
    ...amounts,
    field('capacity', resourcesTexts.operations.capacityField, then.capacity, now.capacity),
    field('in', columns.place, place(then.parent_id), place(now.parentId)),
    field('key', resourcesTexts.operations.key, then.key, now.key),
    field('locked', columns.locked, then.locked_by, now.lockedBy),
    field('template', columns.template, then.template_name, now.template),
    ...names.map((name) => field(`attribute.${name}`, columns.attribute(name), attributes[name], now.attributes[name])),
  ];
  return all.filter((one) => one.before !== texts.nothing || one.now !== texts.nothing);
}
