/**
 * Edits a settings file's text in its format: only the value changes; comments, order, line endings and byte order mark
 * stay.
 */
import type { FileFormat } from '../parse/discovery.ts';
import { dotenvAssignments } from '../parse/dotenv.ts';
import { tomlEntries } from '../parse/tomlFile.ts';
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  stringify,
  visit,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { parseYaml } from '#api/yamlText.ts';
import { sameJson } from '#api/sameJson.ts';

/** A value as stored in a file; `'None'` means no value. */
export type WrittenValue = string | number | boolean | readonly string[];

/** `key` is spelled as in the file; of equal keys, the last one counts and is changed. */
export type FileEdit =
  | { readonly kind: 'set'; readonly key: string; readonly value: WrittenValue }
  /** Removes every occurrence of these spellings. */
  | { readonly kind: 'remove'; readonly keys: readonly string[] };

/** Thrown if the edit is impossible or would affect other keys. The message is the reason, shown after the file name. */
export class EditRefusedError extends Error {
  override readonly name = 'EditRefusedError';
}

const editors: Readonly<Record<FileFormat, (text: string, edit: FileEdit) => string>> = {
  yaml: editYaml,
  toml: editToml,
  // JSON is edited as YAML in braces. A key is only changed if the file contains it.
  json: (text, edit) => editYaml(text, edit, false),
  dotenv: editDotenv,
};

/**
 * @param text a text that its format's reader accepts
 * @throws {EditRefusedError} with the reason as text
 */
export function editText(format: FileFormat, text: string, edit: FileEdit): string {
  const byteOrderMark = text.startsWith('\ufeff') ? '\ufeff' : '';
  return byteOrderMark + editors[format](text.slice(byteOrderMark.length), edit);
}

/** Replaces the part of `text` between two offsets. */
function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** The line ending of a text, LF if it has none. */
function lineEnd(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** The start of the line with this offset. */
function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

/** The start of the line after the one with this offset; the end of the text for its last line. */
function nextLine(text: string, offset: number): number {
  const end = /\r\n|\n|\r/g;
  end.lastIndex = offset;
  const lineBreak = end.exec(text);
  return lineBreak === null ? text.length : lineBreak.index + lineBreak[0].length;
}

/** @throws {EditRefusedError} if the name is missing in the file, or the value cannot be represented in it */
function editDotenv(text: string, edit: FileEdit): string {
  if (edit.kind === 'set') {
    const range = dotenvAssignments(text).findLast(({ key, value }) => key === edit.key && value !== null)?.value;
    if (range == null) throw new EditRefusedError(`${edit.key} is not in it any more`);
    return splice(text, range.start, range.end, serializeForDotenv(text.charAt(range.start), edit.value));
  }
  let result = text;
  for (const { key, offset, end } of dotenvAssignments(text).toReversed()) {
    if (edit.keys.includes(key)) result = splice(result, lineStart(result, offset), end, '');
  }
  return result;
}

/**
 * Quotes the value if necessary, with the existing quotes if possible, so that dotenv and a shell's `source` read it
 * alike. Within single quotes only dotenv has escapes; within double quotes only a shell interprets `$` and backquotes.
 */
function serializeForDotenv(currentFirstChar: string, value: WrittenValue): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (text.includes('${')) throw new EditRefusedError('a value with ${ in it can’t be written in an environment file');
  const isQuoted = currentFirstChar === "'" || currentFirstChar === '"';
  if (!isQuoted && /^[\w@%+=:,./-]+$/.test(text)) return text;
  const fitsSingle = !/['\\]/.test(text);
  const fitsDouble = !/[$`]/.test(text);
  if (fitsDouble && (!fitsSingle || (currentFirstChar === '"' && !text.includes('"'))))
    return `"${text.replace(/[\\"]/g, '\\$&')}"`;
  if (fitsSingle) return `'${text}'`;
  throw new EditRefusedError(
    "a value with $ or ` beside ' or \\ can’t be written in an environment file, which a shell and this program would read differently",
  );
}

/** @throws {EditRefusedError} if the key is missing in the file, or is a table */
function editToml(text: string, edit: FileEdit): string {
  if (edit.kind === 'set') {
    const entry = tomlEntries(text).find(({ key }) => key === edit.key);
    if (entry === undefined) throw new EditRefusedError(`${edit.key} is not in it any more`);
    if (entry.valueStart === null) throw new EditRefusedError(`${edit.key} is a table there`);
    const { valueStart, valueEnd } = entry;
    return splice(text, valueStart, valueEnd, serializeForToml(text, text.slice(valueStart, valueEnd), edit.value));
  }
  let result = text;
  for (const { key, start, end, valueStart } of tomlEntries(text).toReversed()) {
    if (!edit.keys.includes(key)) continue;
    if (valueStart === null) throw new EditRefusedError(`${key} is a table there`);
    result = splice(result, lineStart(result, start), nextLine(result, end), '');
  }
  return result;
}

function serializeForToml(text: string, old: string, value: WrittenValue): string {
  if (typeof value === 'object') {
    if (value.length === 0 || !/^\[\s*[\r\n]/.test(old)) return `[${value.map((item) => quote(item)).join(', ')}]`;
    const eol = lineEnd(text);
    const indent = /[\r\n]([ \t]*)[^\s\]]/.exec(old)?.[1] ?? '  ';
    return `[${eol}${value.map((item) => `${indent}${quote(item)},${eol}`).join('')}]`;
  }
  return typeof value === 'string' ? quote(value, old.startsWith("'")) : String(value);
}

function quote(text: string, isLiteral = false): string {
  return isLiteral && /^[^'\p{Cc}]*$/u.test(text) ? `'${text}'` : JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}

/** The nodes of a key and its value. */
interface PairNodes {
  readonly key: Node;
  readonly value: Node;
}

/**
 * Edits YAML of any style.
 * @param canInsert whether a missing key is added
 * @throws {EditRefusedError} if other keys depend on the value, it is not written as `key: value`, or the key is missing
 */
function editYaml(text: string, edit: FileEdit, canInsert = true): string {
  const { document } = parseYaml(text, { uniqueKeys: false });
  const { contents } = document;
  const map = isMap(contents) ? contents : null;
  if (edit.kind === 'set') {
    const nodes = map === null ? null : findPairNodes(map, edit.key);
    if (nodes !== null) return replaceValue(text, document, map?.flow === true, nodes, edit.value);
    if (!canInsert) throw new EditRefusedError(`${edit.key} is not in it any more`);
    return insertKey(text, map, edit);
  }
  let result = text;
  for (const key of edit.keys) {
    for (let next = removeLast(result, key); next !== null; next = removeLast(result, key)) result = next;
  }
  return result;
}

function pairKey(pair: Pair): string | null {
  return isScalar(pair.key) ? String(pair.key.value) : null;
}

/** The last pair with this key. */
function findPairNodes(map: YAMLMap, key: string): PairNodes | null {
  const pair = map.items.findLast((candidate) => pairKey(candidate) === key);
  return pair && isNode(pair.key) && isNode(pair.value) ? { key: pair.key, value: pair.value } : null;
}

/** Start and end of a node in the text, without its line ending. */
function getRange(node: Node): readonly [number, number] {
  if (!node.range) throw new EditRefusedError('its place in the file is unknown');
  return [node.range[0], node.range[1]];
}

function refuseAnchored(document: Document, node: Node): void {
  const anchor = isAlias(node) ? undefined : (node as { anchor?: string }).anchor;
  if (anchor === undefined) return;
  let isUsed = false;
  visit(document, {
    Alias: (_, alias) => {
      isUsed ||= alias.source === anchor;
    },
  });
  if (isUsed) throw new EditRefusedError(`its value has the anchor &${anchor}, which other keys use`);
}

function serializeYaml(value: WrittenValue, inFlow: boolean): string {
  if (typeof value === 'object' && value.length === 0) return '[]';
  // In a flow collection, a comma or brace would end the value. JSON is valid YAML.
  if (inFlow) return JSON.stringify(value);
  return stringify(value, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 }).trimEnd();
}

function replaceValue(
  text: string,
  document: Document,
  inFlow: boolean,
  nodes: PairNodes,
  value: WrittenValue,
): string {
  const { value: currentNode } = nodes;
  refuseAnchored(document, currentNode);
  const [start, end] = getRange(currentNode);
  const isBlockList = isSeq(currentNode) && currentNode.flow !== true;
  if (isBlockList && Array.isArray(value)) {
    const items = value as readonly string[];
    if (items.length > 0) return blockList(text, currentNode, items);
  }
  const afterColon = findColon(text, nodes) + 1;
  const between = text.slice(afterColon, start);
  // The text between colon and value is an anchor, a tag, or the line end before a block.
  const from = between.includes('#') || (inFlow && /^\s+$/.test(between)) ? start : afterColon;
  const lead = from === afterColon ? ' ' : '';
  const tail = /[\r\n]/.test(text.slice(end - 1, end)) ? lineEnd(text) : '';
  const isLines = inFlow && Array.isArray(value) && value.length > 0 && /^\[\s*[\r\n]/.test(text.slice(start, end));
  const after = isLines ? flowLines(text, [start, end], value) : serializeYaml(value, inFlow);
  return splice(text, from, end, `${lead}${after}${tail}`);
}

/** A list in brackets with one line per item, indented like the list it replaces. */
function flowLines(text: string, [start, end]: readonly [number, number], items: readonly string[]): string {
  const eol = lineEnd(text);
  const outer = /^[ \t]*/.exec(text.slice(lineStart(text, end - 1)))?.[0] ?? '';
  const inner = /[\r\n]([ \t]*)[^\s\]]/.exec(text.slice(start, end))?.[1] ?? `${outer}  `;
  return `[${eol}${items.map((item) => inner + JSON.stringify(item)).join(`,${eol}`)}${eol}${outer}]`;
}

function findColon(text: string, { key, value }: PairNodes): number {
  const [, keyEnd] = getRange(key);
  const colon = text.indexOf(':', keyEnd);
  if (colon === -1 || colon > getRange(value)[0]) throw new EditRefusedError('it is not written as key: value');
  return colon;
}

/** A list with one line per item. If items are only removed or appended, the other lines are kept with their comments. */
function blockList(text: string, old: YAMLSeq, items: readonly string[]): string {
  const [start, end] = getRange(old);
  const indent = text.slice(lineStart(text, start), start);
  const eol = lineEnd(text);
  const line = (item: string) => `- ${serializeYaml(item, false)}${eol}`;
  const lines = old.items.map((node) => {
    if (!isScalar(node) || typeof node.value !== 'string') return null;
    const [itemStart, itemEnd] = getRange(node);
    const from = lineStart(text, itemStart);
    return { item: node.value, from, to: nextLine(text, itemEnd) };
  });
  const currentItems = lines.flatMap((current) => (current === null ? [] : [current.item]));
  const unchangedItems = items.filter((item) => currentItems.includes(item));
  const inOrder = sameJson(
    unchangedItems,
    currentItems.filter((item) => items.includes(item)),
  );
  const appended = items.slice(unchangedItems.length);
  const isSimple = currentItems.length === old.items.length && new Set(currentItems).size === currentItems.length;
  if (
    !isSimple ||
    !inOrder ||
    unchangedItems.length === 0 ||
    unchangedItems.some((item, index) => items[index] !== item)
  ) {
    const all = items.map((item, index) => `${index === 0 ? '' : indent}${line(item)}`).join('');
    return splice(text, start, end, end > start && /[\r\n]/.test(text.charAt(end - 1)) ? all : all.trimEnd());
  }
  const last = lines.at(-1);
  const at = last?.to ?? end;
  const head = text.slice(0, at);
  const lead = appended.length > 0 && !/[\r\n]$/.test(head) ? eol : '';
  let result = splice(text, at, at, lead + appended.map((item) => `${indent}${line(item)}`).join(''));
  for (const missing of lines.toReversed()) {
    if (missing !== null && !items.includes(missing.item)) result = splice(result, missing.from, missing.to, '');
  }
  return result;
}

function insertKey(text: string, map: YAMLMap | null, edit: Extract<FileEdit, { kind: 'set' }>): string {
  const eol = lineEnd(text);
  if (map?.flow) {
    const close = getRange(map)[1] - 1;
    const lead = map.items.length === 0 ? '' : ', ';
    return splice(text, close, close, `${lead}${JSON.stringify(edit.key)}: ${serializeYaml(edit.value, true)}`);
  }
  const [first] = map?.items ?? [];
  const column = first && isNode(first.key) ? getRange(first.key)[0] : 0;
  const indent = text.slice(lineStart(text, column), column).replace(/[^ ]/g, '');
  const line = `${indent}${edit.key}: ${serializeYaml(edit.value, false)}${eol}`;
  const marker = /^\.\.\.(?=\s|$)/m.exec(text);
  const at = marker?.index ?? text.length;
  const head = text.slice(0, at);
  const isBare = head.trim() === '' || /[\r\n]$/.test(head);
  // The file has only comments: a blank line separates them from the new key.
  const gap = map === null && head.trim() !== '' ? eol : '';
  return splice(text, at, at, `${isBare ? '' : eol}${gap}${line}`);
}

/** Removes the last occurrence of a key; returns `null` if there is none. */
function removeLast(text: string, key: string): string | null {
  const { document } = parseYaml(text, { uniqueKeys: false });
  const map = isMap(document.contents) ? document.contents : null;
  const nodes = map === null ? null : findPairNodes(map, key);
  if (map === null || nodes === null) return null;
  refuseAnchored(document, nodes.value);
  const [start] = getRange(nodes.key);
  const [, end] = getRange(nodes.value);
  if (map.flow !== true) {
    const isWhole = end > start && /[\r\n]/.test(text.charAt(end - 1));
    return splice(text, lineStart(text, start), isWhole ? end : nextLine(text, end), '');
  }
  const index = map.items.findLastIndex((pair) => pairKey(pair) === key);
  const following = map.items[index + 1]?.key;
  if (isNode(following)) return splice(text, start, getRange(following)[0], '');
  const before = map.items[index - 1]?.value;
  return splice(text, isNode(before) ? getRange(before)[1] : start, end, '');
}
