/**
 * An invalid record does not invalidate its list: it is omitted or replaced by its usable part, and
 * `getInvalidRecords` reports it with the reason.
 */
import type * as z from 'zod/mini';

/** Where a response contains a list of records: the response itself or one of its members. */
export interface RecordList {
  /** Name of the member; empty for the response itself. */
  readonly member: string;
  /** Returns the usable part of an invalid record, which must fit the schema. Without it the record is omitted. */
  readonly salvage?: (record: unknown) => unknown;
}

export interface InvalidRecord {
  /** Its name or ID, or its index in the list. */
  readonly name: string;
  /** The path within the record, and the error. */
  readonly reason: string;
}

const invalidByBody = new WeakMap<object, readonly InvalidRecord[]>();

/** The invalid records of this response. */
export function getInvalidRecords(body: unknown): readonly InvalidRecord[] {
  return typeof body === 'object' && body !== null ? (invalidByBody.get(body) ?? []) : [];
}

/** Attaches the invalid records to a response, or to a value derived from it. */
export function setInvalidRecords(body: object, invalid: readonly InvalidRecord[]): void {
  if (invalid.length > 0) invalidByBody.set(body, invalid);
  else invalidByBody.delete(body);
}

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly errors?: readonly (readonly Issue[])[];
}
export type Parsed =
  { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: { readonly issues: Issue[] } };

/** The limit of repair rounds: each may reveal errors in deeper levels. */
const maxRounds = 5;
/** The maximum number of reported records. */
const maxRecords = 100;

/** The state of the repair of a response over its rounds. */
interface Repair {
  /** By the path of the record in the original response. */
  readonly invalid: Map<string, InvalidRecord>;
  /** For each list, the indices of its remaining records in the original response. */
  readonly originalIndices: Map<RecordList, readonly number[]>;
}

/** Parses a response by its schema without the invalid records of `lists`, or with their usable parts. */
export function parseValidRecords(schema: z.ZodMiniType, body: unknown, lists: readonly RecordList[]): Parsed {
  const repair: Repair = { invalid: new Map(), originalIndices: new Map() };
  let current = body;
  for (let round = 0; ; round += 1) {
    const parsed = schema.safeParse(current);
    if (parsed.success) {
      if (typeof parsed.data === 'object' && parsed.data !== null)
        setInvalidRecords(parsed.data, [...repair.invalid.values()].slice(0, maxRecords));
      return { ok: true, data: parsed.data };
    }
    const error = parsed.error as { readonly issues: Issue[] };
    const next =
      round < maxRounds ? repairRecords(current, error.issues.flatMap(findDeepestIssues), lists, repair) : null;
    if (next === null) return { ok: false, error };
    current = next;
  }
}

/** The issues of the union member that matches deepest: the most likely intended type. */
function findDeepestIssues(issue: Issue): Issue[] {
  const variants = (issue.errors ?? []).map((memberIssues) =>
    memberIssues.flatMap((inner) => findDeepestIssues({ ...inner, path: [...issue.path, ...inner.path] })),
  );
  const minDepth = (memberIssues: readonly Issue[]): number => Math.min(...memberIssues.map(({ path }) => path.length));
  const best = variants
    .filter((memberIssues) => memberIssues.length > 0)
    .toSorted((a, b) => minDepth(b) - minDepth(a))[0];
  return best === undefined || minDepth(best) <= issue.path.length ? [issue] : best;
}

/**
 * Returns a copy of the body without its invalid records, or with their usable parts; `null` if an issue is outside all
 * records.
 */
function repairRecords(
  body: unknown,
  issues: readonly Issue[],
  lists: readonly RecordList[],
  { invalid, originalIndices }: Repair,
): unknown {
  // Copy only the path to the replaced value.
  const copy = shallowCopy(body);
  const handled = new Set<string>();
  const removed = new Map<RecordList, { readonly parent: unknown[]; readonly indices: number[] }>();
  for (const { path, message } of issues) {
    const list = lists.find(({ member }) => (member === '' ? path.length > 0 : path[0] === member && path.length > 1));
    if (list === undefined) return null;
    const recordPath = findRecordPath(path, list);
    const key = originalPath(recordPath, list, originalIndices).map(String).join('/');
    if (handled.has(key)) continue;
    handled.add(key);
    let parent: unknown = copy;
    for (const step of recordPath.slice(0, -1)) parent = copyMember(parent, step);
    const last = recordPath.at(-1);
    if (last === undefined || typeof parent !== 'object' || parent === null) return null;
    const record = (parent as Record<PropertyKey, unknown>)[last];
    const issuePath = path.slice(recordPath.length).map(String).join('.');
    const name = recordName(record) ?? String(last);
    const previous = invalid.get(key);
    invalid.set(key, { name, reason: previous?.reason ?? (issuePath === '' ? message : `${issuePath}: ${message}`) });
    const isTopLevel = recordPath.length === (list.member === '' ? 1 : 2);
    if (list.salvage !== undefined && isTopLevel && previous === undefined && typeof record === 'object')
      (parent as Record<PropertyKey, unknown>)[last] = list.salvage(record);
    // The index of a child in its container is significant, so an invalid child becomes `null`.
    else if (Array.isArray(parent) && !isTopLevel) parent[Number(last)] = null;
    else if (Array.isArray(parent))
      removed.set(list, { parent, indices: [...(removed.get(list)?.indices ?? []), Number(last)] });
    else delete (parent as Record<PropertyKey, unknown>)[last];
  }
  for (const [list, { parent, indices }] of removed) {
    const before = originalIndices.get(list) ?? [...parent.keys()];
    originalIndices.set(
      list,
      before.filter((_original, index) => !indices.includes(index)),
    );
    for (const index of indices.toSorted((a, b) => b - a)) parent.splice(index, 1);
  }
  // An error with status 200, such as `{"detail": "…"}`, is not a list of invalid records.
  const isErrorBody = isEmpty(copy) && !isEmpty(body) && Object.values(body as object).every(isPlain);
  return isErrorBody ? null : copy;
}

/** The path of a record in the original response: indices shift when a record is removed. */
function originalPath(
  recordPath: readonly PropertyKey[],
  list: RecordList,
  originalIndices: Repair['originalIndices'],
): readonly PropertyKey[] {
  const position = list.member === '' ? 0 : 1;
  const original = originalIndices.get(list)?.[Number(recordPath[position])];
  return original === undefined ? recordPath : recordPath.with(position, original);
}

/** The path of the record with the issue: for a resource with children, the innermost one. */
function findRecordPath(path: readonly PropertyKey[], { member }: RecordList): readonly PropertyKey[] {
  let end = member === '' ? 1 : 2;
  for (let index = end; index + 1 < path.length && path[index] === 'children'; index += 2) end = index + 2;
  return path.slice(0, end);
}

const isEmpty = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || Object.keys(value).length === 0;
const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

const copies = new WeakSet<object>();
function shallowCopy<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Value & object;
  copies.add(copy);
  return copy;
}
/** Returns a member of a copy after replacing it by its own copy. */
function copyMember(parent: unknown, key: PropertyKey): unknown {
  if (typeof parent !== 'object' || parent === null) return undefined;
  const members = parent as Record<PropertyKey, unknown>;
  const member = members[key];
  if (typeof member === 'object' && member !== null && !copies.has(member)) members[key] = shallowCopy(member);
  return members[key];
}

const nameFields = ['name', 'node_name', 'resource_name', 'location_name', 'template_name', 'run_name', 'label'];
const idFields = ['_id', 'workflow_id', 'resource_id', 'location_id', 'event_id', 'datapoint_id'];

function recordName(record: unknown): string | null {
  if (typeof record !== 'object' || record === null) return null;
  const members = record as Readonly<Record<string, unknown>>;
  const name = [...nameFields, ...idFields].map((field) => members[field]).find((value) => typeof value === 'string');
  return typeof name === 'string' && name !== '' ? name : null;
}
