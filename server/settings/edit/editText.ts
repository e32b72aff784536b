/**
 * Edits a settings file's text in its format: only the value changes; comments, order, line endings and byte order mark
 * stay. What these edits cannot keep is refused, and users change it in the file.
 */
import type { FileFormat } from '../parse/discovery.ts';
import { dotenvEntries } from '../parse/dotenv.ts';
import type { FileEntry } from '../parse/problem.ts';
import { tomlEntries } from '../parse/tomlFile.ts';
import { jsonEntries } from '../parse/yamlAndJson.ts';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  stringify,
  type Pair,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { parseYaml } from '#api/yamlText.ts';

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
  toml: (text, edit) =>
    edit.kind === 'set'
      ? setEntry(text, tomlEntries(text), edit, serializeForToml)
      : removeLines(text, tomlEntries(text), edit.keys),
  json: (text, edit) =>
    edit.kind === 'set'
      ? setEntry(text, jsonEntries(text), edit, (value) => JSON.stringify(value))
      : removeMembers(text, edit.keys),
  dotenv: (text, edit) =>
    edit.kind === 'set'
      ? setEntry(text, dotenvEntries(text), edit, serializeForDotenv)
      : removeLines(text, dotenvEntries(text), edit.keys),
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

type SetEdit = Extract<FileEdit, { kind: 'set' }>;

/** @throws {EditRefusedError} if the key is missing in the file, is a table or has several lines, or the value cannot be represented in it */
function setEntry(
  text: string,
  entries: readonly FileEntry[],
  { key, value }: SetEdit,
  serialize: (value: WrittenValue, old: string) => string,
): string {
  const entry = entries.findLast((candidate) => candidate.key === key);
  if (entry === undefined) throw new EditRefusedError(`${key} is not in it any more`);
  const { start, end } = valueRange(entry);
  return splice(text, start, end, serialize(value, text.slice(start, end)));
}

function valueRange({ key, value }: FileEntry): { readonly start: number; readonly end: number } {
  if (value === null) throw new EditRefusedError(`${key} is a table or has several lines there`);
  return value;
}

function removeLines(text: string, entries: readonly FileEntry[], keys: readonly string[]): string {
  return entries
    .filter(({ key }) => keys.includes(key))
    .reduceRight((result, entry) => {
      return splice(result, lineStart(result, entry.start), nextLine(result, valueRange(entry).end), '');
    }, text);
}

/** Removes members of a JSON object, each with one comma. */
function removeMembers(text: string, keys: readonly string[]): string {
  const entries = jsonEntries(text);
  const index = entries.findLastIndex(({ key }) => keys.includes(key));
  const entry = entries[index];
  if (entry === undefined) return text;
  const following = entries[index + 1];
  const [start, end] = following ? [entry.start, following.start] : [entries[index - 1]?.end ?? entry.start, entry.end];
  return removeMembers(splice(text, start, end, ''), keys);
}

/**
 * Quotes the value if necessary, with the existing quotes if possible, so that dotenv and a shell's `source` read it
 * alike. Within single quotes only dotenv has escapes; within double quotes only a shell interprets `$` and backquotes.
 */
function serializeForDotenv(value: WrittenValue, old: string): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (text.includes('${')) throw new EditRefusedError('a value with ${ in it can’t be written in an environment file');
  if (!/^['"]/.test(old) && /^[\w@%+=:,./-]+$/.test(text)) return text;
  const fitsSingle = !/['\\]/.test(text);
  const fitsDouble = !/[$`]/.test(text);
  if (fitsDouble && (!fitsSingle || (old.startsWith('"') && !text.includes('"'))))
    return `"${text.replace(/[\\"]/g, '\\$&')}"`;
  if (fitsSingle) return `'${text}'`;
  throw new EditRefusedError(
    "a value with $ or ` beside ' or \\ can’t be written in an environment file, which a shell and this program would read differently",
  );
}

function serializeForToml(value: WrittenValue, old: string): string {
  if (typeof value === 'object') return `[${value.map((item) => quote(item)).join(', ')}]`;
  return typeof value === 'string' ? quote(value, old.startsWith("'")) : String(value);
}

function quote(text: string, isLiteral = false): string {
  return isLiteral && /^[^'\p{Cc}]*$/u.test(text) ? `'${text}'` : JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}

type YamlPair = Pair<ParsedNode, ParsedNode | null>;

/** @throws {EditRefusedError} if settings are in braces, other keys depend on the value, or a list has comment lines */
function editYaml(text: string, edit: FileEdit): string {
  const { contents } = parseYaml(text, { uniqueKeys: false }).document;
  const map = isMap(contents) ? contents : null;
  if (map?.flow === true) {
    if (map.items.length > 0) throw new EditRefusedError('its settings are in braces, and not one a line');
    return editYaml(splice(text, map.range[0], map.range[1], ''), edit);
  }
  const keys = edit.kind === 'set' ? [edit.key] : edit.keys;
  const pairs = map?.items.filter(({ key }) => isScalar(key) && keys.includes(String(key.value))) ?? [];
  if (edit.kind === 'remove') return pairs.reduceRight(removePair, text);
  const last = pairs.at(-1);
  return last === undefined ? insertKey(text, map, edit) : replaceValue(text, last, edit.value);
}

function refuseAnchored(text: string, node: ParsedNode | null): void {
  const anchor = node === null || isAlias(node) ? undefined : node.anchor;
  if (anchor !== undefined && text.split(/[\s,[\]{}]/).includes(`*${anchor}`))
    throw new EditRefusedError(`its value has the anchor &${anchor}, which other keys use`);
}

function serializeYaml(value: WrittenValue): string {
  return stringify(value, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 }).trimEnd();
}

function replaceValue(text: string, { key, value: node }: YamlPair, value: WrittenValue): string {
  refuseAnchored(text, node);
  const [start, end] = node?.range ?? [0, 0];
  const colon = text.indexOf(':', key.range[1]);
  if (colon === -1 || colon > start) throw new EditRefusedError('it is not written as key: value');
  const isBlockList = isSeq(node) && node.flow !== true;
  const listText = text.slice(start, end);
  const hasComment = isBlockList
    ? /^\s*#/m.test(listText)
    : /\s#/.test(listText.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, ''));
  if (isSeq(node) && hasComment) throw new EditRefusedError('there are comment lines in its list');
  const eol = lineEnd(text);
  // Without a space before it, a comment would belong to the value.
  const tail = /[\r\n]/.test(text.charAt(end - 1)) ? eol : text.charAt(end) === '#' ? ' ' : '';
  if (isBlockList && Array.isArray(value) && value.length > 0) {
    const separator = eol + text.slice(lineStart(text, start), start);
    const items = value.map((item: string) => findListItem(text, node, item) ?? serializeYaml(item));
    return splice(text, start, end, items.map((item) => `- ${item}`).join(separator) + tail);
  }
  // The text between colon and value is an anchor, a tag, or the line end before a block.
  const isCommented = text.slice(colon, start).includes('#');
  const replacement = `${isCommented ? '' : ' '}${serializeYaml(value)}${tail}`;
  return splice(text, isCommented ? start : colon + 1, end, replacement);
}

/** The text of an item with the comment after it; `undefined` if the list has no such line. */
function findListItem(text: string, list: YAMLSeq.Parsed, value: string): string | undefined {
  const lines = list.items.map((item) => text.slice(item.range[0], nextLine(text, item.range[0])).trimEnd());
  return lines.find((line, index) => {
    const item = list.items[index];
    return isScalar(item) && item.value === value && line.length >= item.range[1] - item.range[0];
  });
}

function insertKey(text: string, map: YAMLMap.Parsed | null, { key, value }: SetEdit): string {
  const eol = lineEnd(text);
  const column = map?.items[0]?.key.range[0] ?? 0;
  const indent = text.slice(lineStart(text, column), column).replace(/[^ ]/g, '');
  const line = `${indent}${key}: ${serializeYaml(value)}${eol}`;
  const marker = /^\.\.\.(?=\s|$)/m.exec(text);
  const at = marker?.index ?? text.length;
  const head = text.slice(0, at);
  const isBare = head.trim() === '' || /[\r\n]$/.test(head);
  // The file has only comments: a blank line separates them from the new key.
  const gap = map === null && head.trim() !== '' ? eol : '';
  return splice(text, at, at, `${isBare ? '' : eol}${gap}${line}`);
}

function removePair(text: string, { key, value }: YamlPair): string {
  refuseAnchored(text, value);
  const start = lineStart(text, key.range[0]);
  const end = (value ?? key).range[1];
  return splice(text, start, /[\r\n]/.test(text.charAt(end - 1)) ? end : nextLine(text, end), '');
}
