/** A JSON value as the lines of a tree: expanded nodes, search results, and the shown part of long lists. */
import { componentTexts } from '../texts.ts';
import { exactText, formatJson, stringifyExactJson } from '#api/exactJson.ts';

/** Field names and indexes from the root. */
type JsonPath = readonly (string | number)[];

type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'more';

export interface JsonLine {
  /** The path as text; stable across reads of the value. */
  readonly id: string;
  readonly path: JsonPath;
  /** From 1, like `aria-level`. */
  readonly level: number;
  /** Position among its siblings, from 1, and their number. */
  readonly position: number;
  readonly siblings: number;
  readonly name: string | null;
  readonly kind: JsonKind;
  readonly text: string;
  /** `null`: the line can't be expanded. */
  readonly open: boolean | null;
  readonly isMatch: boolean;
  /** The hint behind a long text that it can be expanded or collapsed. */
  readonly hint: string | null;
}

/** The differences from the tree's default expansion. */
export interface JsonState {
  /** Expanded (`true`) and collapsed (`false`) lines by id. */
  readonly open: Readonly<Record<string, boolean>>;
  /** The number of shown members by id, if more than the first hundred. */
  readonly members: Readonly<Record<string, number>>;
}

interface JsonSearchResult {
  /** Ids of the matching lines, from the top. */
  readonly matches: ReadonlySet<string>;
  /** Ids of the ancestors of the matching lines. */
  readonly ancestors: ReadonlySet<string>;
}

export const memberChunkSize = 100;
const maxTextLength = 200;
const expandedLevels = 2;
/** Arrays with more items are collapsed by default. */
const maxExpandedItems = 20;
const noMatches: JsonSearchResult = { matches: new Set(), ancestors: new Set() };

/** A value with at most this many fields and items needs no search. */
const maxUnsearchedMembers = 12;

/** Returns whether a value is large enough to be searched. Stops counting at the limit. */
export function needsSearch(value: unknown): boolean {
  let count = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0 && count <= maxUnsearchedMembers) {
    const next = pending.pop();
    if (typeof next === 'string' && next.length > maxTextLength) return true;
    if (typeof next !== 'object' || next === null) continue;
    const members = Object.values(next);
    count += members.length;
    pending.push(...members.slice(0, maxUnsearchedMembers + 1));
  }
  return count > maxUnsearchedMembers;
}

/** Returns the id of the line at a path. */
export function toLineId(path: JsonPath): string {
  return stringifyExactJson(path);
}

/** Formats a path for Python and JavaScript, without the name of the root: `steps[2].result["OD 600"]`. */
export function formatPath(path: JsonPath): string {
  const parts = path.map((part) => {
    if (typeof part === 'number') return `[${part}]`;
    return /^[A-Za-z_$][\w$]*$/.test(part) ? `.${part}` : `[${stringifyExactJson(part)}]`;
  });
  return parts.join('').replace(/^\./, '');
}

/** Returns the value at a path; `undefined` if there is none. */
export function getValueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((node, part) => listMembers(node)?.find(([name]) => name === part)?.[1], value);
}

/** Returns the text to copy: strings unchanged, anything else as JSON. */
export function toCopyText(value: unknown): string {
  return formatJson(value, 2);
}

/** Finds names and primitive values that contain `search`, case-insensitively. */
export function searchJson(value: unknown, search: string): JsonSearchResult {
  const text = search.trim().toLowerCase();
  if (text === '') return noMatches;
  const matches = new Set<string>();
  const ancestors = new Set<string>();
  const visit = (node: unknown, path: JsonPath): void => {
    const members = listMembers(node);
    const name = path.at(-1);
    const valueText = members === null ? formatJson(node ?? null) : '';
    if ((typeof name === 'string' && name.toLowerCase().includes(text)) || valueText.toLowerCase().includes(text)) {
      matches.add(toLineId(path));
      for (let length = 0; length < path.length; length += 1) ancestors.add(toLineId(path.slice(0, length)));
    }
    for (const [part, member] of members ?? []) visit(member, [...path, part]);
  };
  visit(value, []);
  return { matches, ancestors };
}

/** Returns the visible lines, from the top. */
export function getVisibleLines(value: unknown, state: JsonState, result: JsonSearchResult = noMatches): JsonLine[] {
  const lines: JsonLine[] = [];
  const addLine = (node: unknown, path: JsonPath, position: number, siblings: number): void => {
    const id = toLineId(path);
    const level = path.length + 1;
    const members = listMembers(node);
    const kind = getJsonKind(node);
    const text = describeValue(node, members, kind);
    const isLong = kind === 'string' && text.length > maxTextLength;
    const isShort = path.length === 0 || kind !== 'array' || (members?.length ?? 0) <= maxExpandedItems;
    const isOpenByDefault = members !== null && ((path.length < expandedLevels && isShort) || result.ancestors.has(id));
    const open = (members !== null && members.length > 0) || isLong ? (state.open[id] ?? isOpenByDefault) : null;
    const part = path.at(-1);
    lines.push({
      id,
      path,
      level,
      position,
      siblings,
      name: part === undefined ? null : String(part),
      kind,
      text: isLong && open !== true ? `${text.slice(0, maxTextLength)}…` : text,
      open,
      isMatch: result.matches.has(id),
      hint: isLong ? (open === true ? 'show less' : componentTexts.json.whole(text.length)) : null,
    });
    if (members === null || open !== true) return;
    const shownCount = Math.max(state.members[id] ?? memberChunkSize, countThroughLastMatch(members, path, result));
    const hiddenCount = members.length - shownCount;
    const total = Math.min(members.length, shownCount) + (hiddenCount > 0 ? 1 : 0);
    for (const [index, [name, member]] of members.slice(0, shownCount).entries()) {
      addLine(member, [...path, name], index + 1, total);
    }
    if (hiddenCount > 0) lines.push(createMoreLine(id, path, total, hiddenCount));
  };
  addLine(value, [], 1, 1);
  return lines;
}

/** Returns the number of members up to the last one with a search result, so that “show more” doesn't hide it. */
function countThroughLastMatch(
  members: readonly (readonly [string | number, unknown])[],
  path: JsonPath,
  result: JsonSearchResult,
): number {
  if (!result.ancestors.has(toLineId(path))) return 0;
  const last = members.findLastIndex(([name]) => {
    const id = toLineId([...path, name]);
    return result.matches.has(id) || result.ancestors.has(id);
  });
  return Math.ceil((last + 1) / memberChunkSize) * memberChunkSize;
}

function createMoreLine(id: string, path: JsonPath, total: number, hiddenCount: number): JsonLine {
  return {
    id: `${id}+`,
    path,
    level: path.length + 2,
    position: total,
    siblings: total,
    name: null,
    kind: 'more',
    text: componentTexts.json.more(Math.min(memberChunkSize, hiddenCount), hiddenCount),
    open: null,
    isMatch: false,
    hint: null,
  };
}

function listMembers(value: unknown): readonly (readonly [string | number, unknown])[] | null {
  if (Array.isArray(value)) return value.map((member: unknown, index) => [index, member] as const);
  return typeof value === 'object' && value !== null ? Object.entries(value) : null;
}

function getJsonKind(value: unknown): JsonKind {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (exactText(value) !== null) return 'number';
  const type = typeof value;
  return type === 'object' || type === 'number' || type === 'boolean' ? type : 'string';
}

function describeValue(value: unknown, members: readonly unknown[] | null, kind: JsonKind): string {
  if (members === null) return formatJson(value ?? null);
  const { fields, items } = componentTexts.json;
  return kind === 'array' ? items(members.length) : fields(members.length);
}

/** Returns the index of a line's parent; `null` for the root. */
export function findParentIndex(lines: readonly JsonLine[], index: number): number | null {
  const line = lines[index];
  if (line === undefined) return null;
  const parent = lines.slice(0, index).findLastIndex(({ level }) => level < line.level);
  return parent < 0 ? null : parent;
}
