/** A JSON value as the lines of a tree: expanded nodes, search results, and the shown part of long lists. Pure. */
import { componentTexts } from '../texts.ts';

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
  /** The tooltip for expanding a long text. */
  readonly hint: string | null;
}

/** The differences from the tree's default expansion. */
export interface JsonState {
  /** Expanded (`true`) and collapsed (`false`) lines by id. */
  readonly open: Readonly<Record<string, boolean>>;
  /** The number of shown members by id, if more than the first hundred. */
  readonly members: Readonly<Record<string, number>>;
}

interface JsonFound {
  /** Ids of the lines that contain the text, from the top. */
  readonly ids: ReadonlySet<string>;
  /** Ids of their ancestors. */
  readonly above: ReadonlySet<string>;
}

export const chunk = 100;
const longText = 200;
const openLevels = 2;
/** Longer lists are collapsed by default. */
const openItems = 20;
const nothingFound: JsonFound = { ids: new Set(), above: new Set() };

/** A value with at most this many fields and items is seen at a glance and needs no search. */
const glanceCount = 12;

/** Whether a value is large enough to be searched. Counts only as far as needed. */
export function needsSearch(value: unknown): boolean {
  let count = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0 && count <= glanceCount) {
    const next = pending.pop();
    if (typeof next === 'string' && next.length > longText) return true;
    if (typeof next !== 'object' || next === null) continue;
    const members = Object.values(next);
    count += members.length;
    pending.push(...members.slice(0, glanceCount + 1));
  }
  return count > glanceCount;
}

export function idOf(path: JsonPath): string {
  return JSON.stringify(path);
}

/** Formats a path for Python and JavaScript, without the name of the root: `steps[2].result["OD 600"]`. */
export function pathText(path: JsonPath): string {
  const parts = path.map((part) => {
    if (typeof part === 'number') return `[${part}]`;
    return /^[A-Za-z_$][\w$]*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
  });
  return parts.join('').replace(/^\./, '');
}

export function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((at, part) => membersOf(at)?.find(([name]) => name === part)?.[1], value);
}

/** Returns the text to copy: strings unchanged, anything else as JSON. */
export function copyText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

/** Finds names and primitive values that contain `search`, case-insensitively. */
export function findIn(value: unknown, search: string): JsonFound {
  const text = search.trim().toLowerCase();
  if (text === '') return nothingFound;
  const ids = new Set<string>();
  const above = new Set<string>();
  const visit = (at: unknown, path: JsonPath): void => {
    const members = membersOf(at);
    const name = path.at(-1);
    const valueText = members === null ? String(at) : '';
    if ((typeof name === 'string' && name.toLowerCase().includes(text)) || valueText.toLowerCase().includes(text)) {
      ids.add(idOf(path));
      for (let length = 0; length < path.length; length += 1) above.add(idOf(path.slice(0, length)));
    }
    for (const [part, member] of members ?? []) visit(member, [...path, part]);
  };
  visit(value, []);
  return { ids, above };
}

/** Returns the visible lines, from the top. */
export function linesOf(value: unknown, state: JsonState, found: JsonFound = nothingFound): JsonLine[] {
  const lines: JsonLine[] = [];
  const add = (at: unknown, path: JsonPath, position: number, siblings: number): void => {
    const id = idOf(path);
    const level = path.length + 1;
    const members = membersOf(at);
    const kind = kindOf(at);
    const text = textOf(at, members, kind);
    const long = kind === 'string' && text.length > longText;
    const isShort = path.length === 0 || kind !== 'array' || (members?.length ?? 0) <= openItems;
    const opensItself = members !== null && ((path.length < openLevels && isShort) || found.above.has(id));
    const open = (members !== null && members.length > 0) || long ? (state.open[id] ?? opensItself) : null;
    const part = path.at(-1);
    lines.push({
      id,
      path,
      level,
      position,
      siblings,
      name: part === undefined ? null : String(part),
      kind,
      text: long && open !== true ? `${text.slice(0, longText)}…` : text,
      open,
      isMatch: found.ids.has(id),
      hint: long ? (open === true ? componentTexts.json.less : componentTexts.json.whole(text.length)) : null,
    });
    if (members === null || open !== true) return;
    const shown = Math.max(state.members[id] ?? chunk, lastFound(members, path, found));
    const left = members.length - shown;
    const total = Math.min(members.length, shown) + (left > 0 ? 1 : 0);
    for (const [index, [name, member]] of members.slice(0, shown).entries()) {
      add(member, [...path, name], index + 1, total);
    }
    if (left > 0) lines.push(moreLine(id, path, total, left));
  };
  add(value, [], 1, 1);
  return lines;
}

/** Returns the number of members up to the last one with a search result, so that “show more” doesn't hide it. */
function lastFound(
  members: readonly (readonly [string | number, unknown])[],
  path: JsonPath,
  found: JsonFound,
): number {
  if (!found.above.has(idOf(path))) return 0;
  const last = members.findLastIndex(([name]) => {
    const id = idOf([...path, name]);
    return found.ids.has(id) || found.above.has(id);
  });
  return Math.ceil((last + 1) / chunk) * chunk;
}

function moreLine(id: string, path: JsonPath, total: number, left: number): JsonLine {
  return {
    id: `${id}+`,
    path,
    level: path.length + 2,
    position: total,
    siblings: total,
    name: null,
    kind: 'more',
    text: componentTexts.json.more(Math.min(chunk, left), left),
    open: null,
    isMatch: false,
    hint: null,
  };
}

function membersOf(value: unknown): readonly (readonly [string | number, unknown])[] | null {
  if (Array.isArray(value)) return value.map((member: unknown, index) => [index, member] as const);
  return typeof value === 'object' && value !== null ? Object.entries(value) : null;
}

function kindOf(value: unknown): JsonKind {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'object' || type === 'number' || type === 'boolean' ? type : 'string';
}

function textOf(value: unknown, members: readonly unknown[] | null, kind: JsonKind): string {
  if (members === null) return kind === 'null' ? 'null' : String(value);
  const { fields, items } = componentTexts.json;
  return kind === 'array' ? items(members.length) : fields(members.length);
}

/** Returns the parent of a line; `null` at the top. */
export function parentOf(lines: readonly JsonLine[], at: number): number | null {
  const line = lines[at];
  if (line === undefined) return null;
  const parent = lines.slice(0, at).findLastIndex(({ level }) => level < line.level);
  return parent < 0 ? null : parent;
}
