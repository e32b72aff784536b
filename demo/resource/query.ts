/** Finding resources, versions and relatives. */
import type { ResourceQuery } from '../../api/managers/resourceBody.ts';
import type { OwnershipInfo } from '../../api/client/wire.ts';
import { InternalFailure } from '../base/handling.ts';
import { isBaseType, type Row } from './row.ts';
import type { ResourceTable, Version } from './table.ts';

/** What rows are chosen by; empty texts filter nothing. */
type RowFilter = Pick<
  ResourceQuery,
  'resource_id' | 'resource_name' | 'parent_id' | 'resource_class' | 'base_type' | 'owner'
>;

function owned(row: Row, owner: OwnershipInfo | null | undefined): boolean {
  const wanted = Object.entries(owner ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return wanted.every(([name, value]) => row.owner[name] === value);
}

/** In the order of adding. A type that doesn't exist is no value of the database's column: a bare 500. */
export function find(table: ResourceTable, filter: RowFilter): Row[] {
  const { base_type: type, owner, ...texts } = filter;
  if (type && !isBaseType(type)) throw new InternalFailure(`'${type}' is not among the defined enum values`);
  const wanted: Record<string, unknown> = { ...texts, base_type: type };
  const names = ['resource_id', 'resource_name', 'parent_id', 'resource_class', 'base_type'] as const;
  const given = names.filter((name) => wanted[name]);
  const source = filter.resource_id ? [table.get(filter.resource_id) ?? []].flat() : [...table.all()];
  return source.filter((row) => given.every((name) => row[name] === wanted[name]) && owned(row, owner));
}

/** The one that there is; several are a bare 500. */
export function findOne(table: ResourceTable, filter: RowFilter): Row | undefined {
  const [first, second] = find(table, filter);
  if (second !== undefined) throw new InternalFailure('Multiple rows were found when exactly one was required');
  return first;
}

interface HistoryFilter {
  readonly resource_id?: string | null | undefined;
  readonly version?: number | null | undefined;
  readonly removed?: boolean | null | undefined;
  readonly change_type?: string | null | undefined;
  readonly start_date?: string | null | undefined;
  readonly end_date?: string | null | undefined;
  readonly limit?: number | null | undefined;
}

/** Newest version first; the limit is 100 unless given, and 0 is none. */
export function findVersions(table: ResourceTable, filter: HistoryFilter): Version[] {
  const { resource_id: id, version, removed, change_type: type, start_date: start, end_date: end } = filter;
  const limit = filter.limit ?? 100;
  const found: Version[] = [];
  for (const entry of table.history(id || undefined)) {
    if (version && entry.version !== version) continue;
    if (type && entry.change_type !== type) continue;
    if (removed !== null && removed !== undefined && entry.removed !== removed) continue;
    if (start && entry.changed_at < start) continue;
    if (end && entry.changed_at > end) continue;
    found.push(entry);
    if (found.length === limit) break;
  }
  return found;
}

/** A version as it is served: a flat row. */
export function versionView(entry: Version): object {
  const { version, change_type, changed_at, child_ids, removed } = entry;
  return { ...entry.row, removed, version, change_type, changed_at, child_ids };
}

/** Ancestors nearest first, and the children of all below by parent. Undefined where the resource isn't known. */
export function hierarchy(table: ResourceTable, id: string): object | undefined {
  const row = table.get(id);
  if (row === undefined) return undefined;
  const ancestors: string[] = [];
  for (let parent = row.parent_id; parent !== null; parent = table.get(parent)?.parent_id ?? null) {
    ancestors.push(parent);
  }
  const descendants: Record<string, string[]> = {};
  const collect = (parent: string) => {
    const children = table.childrenOf(parent).map((child) => child.resource_id);
    if (children.length === 0) return;
    descendants[parent] = children;
    for (const child of children) collect(child);
  };
  collect(id);
  return { ancestor_ids: ancestors, resource_id: id, descendant_ids: descendants };
}
