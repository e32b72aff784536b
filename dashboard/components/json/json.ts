/** Any JSON value as the lines of a tree: what is open, what was found, how much of long lists. Pure. */
import { componentTexts } from '../texts.ts';

/** Fields and positions from the top. */
type JsonPath = readonly (string | number)[];

type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'more';

export interface JsonLine {
  /** The path as text; the same while the value is read again. */
  readonly id: string;
  readonly path: JsonPath;
  /** From 1, as `aria-level` counts. */
  readonly level: number;
  /** Place among its siblings and their number, from 1. */
  readonly position: number;
  readonly siblings: number;
  readonly name: string | null;
  readonly kind: JsonKind;
  readonly text: string;
  /** `null`: there is nothing to open. */
  readonly open: boolean | null;
  readonly found: boolean;
  /** What opening a long text shows, in words. */
  readonly hint: string | null;
}

/** What differs from how the tree opens by itself. */
export interface JsonState {
  /** Opened (`true`) and closed (`false`) lines by id. */
  readonly open: Readonly<Record<string, boolean>>;
  /** Shown members by id, where that is more than the first hundred. */
  readonly members: Readonly<Record<string, number>>;
}

interface JsonFound {
  /** Ids that hold the text themselves, from the top. */
  readonly ids: ReadonlySet<string>;
  /** Ids on the way to them. */
  readonly above: ReadonlySet<string>;
}

export const chunk = 100;
const longText = 200;
const openLevels = 2;
/** Longer lists are opened by whoever wants to see them. */
const openItems = 20;
const nothingFound: JsonFound = { ids: new Set(), above: new Set() };

export function idOf(path: JsonPath): string {
  return JSON.stringify(path);
}

/** `steps[2].result["OD 600"]`: what Python and JavaScript read, without the name of the whole. */
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

/** What is copied: texts as they are, anything else as JSON. */
export function copyText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

/** Names and plain values that hold `search`, whatever the case. */
export function findIn(value: unknown, search: string): JsonFound {
  const text = search.trim().toLowerCase();
  if (text === '') return nothingFound;
  const ids = new Set<string>();
  const above = new Set<string>();
  const visit = (at: unknown, path: JsonPath): void => {
    const members = membersOf(at);
    const name = path.at(-1);
    const own = members === null ? String(at) : '';
    if ((typeof name === 'string' && name.toLowerCase().includes(text)) || own.toLowerCase().includes(text)) {
      ids.add(idOf(path));
      for (let length = 0; length < path.length; length += 1) above.add(idOf(path.slice(0, length)));
    }
    for (const [part, member] of members ?? []) visit(member, [...path, part]);
  };
  visit(value, []);
  return { ids, above };
}

/** The lines that are seen, from the top. */
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
      found: found.ids.has(id),
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

/** Members up to the last that holds something found: it isn't hidden behind “show more”. */
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
    found: false,
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

/** The line that holds this one; `null` at the top. */
export function parentOf(lines: readonly JsonLine[], at: number): number | null {
  const line = lines[at];
  if (line === undefined) return null;
  const parent = lines.slice(0, at).findLastIndex(({ level }) => level < line.level);
  return parent < 0 ? null : parent;
}
