/** Edits of YAML settings files: nothing but the value in question changes, whatever the style of the rest. */
import { isAlias, isMap, isNode, isScalar, isSeq, parseDocument, stringify, visit } from 'yaml';
import type { Document, Node, Pair, YAMLMap, YAMLSeq } from 'yaml';
import {
  EditRefused,
  lineEnd,
  lineStart,
  nextLine,
  splice,
  withoutKeys,
  type FileEdit,
  type WrittenValue,
} from './edits.ts';

interface Place {
  readonly key: Node;
  readonly value: Node;
}

/** @throws {EditRefused} where other keys depend on the value, or it comes by a merge key */
export function editYaml(text: string, edit: FileEdit): string {
  const document = parseDocument(text, { uniqueKeys: false, version: '1.2' });
  const { contents } = document;
  const map = isMap(contents) ? contents : null;
  if (edit.kind === 'set') {
    const place = map === null ? null : placeOf(map, edit.key);
    return place === null ? inserted(text, map, edit) : replaced(text, document, map?.flow === true, place, edit.value);
  }
  return withoutKeys(text, edit.keys, removedOnce);
}

function keyOf(pair: Pair): string | null {
  return isScalar(pair.key) ? String(pair.key.value) : null;
}

/** The last pair with this key. */
function placeOf(map: YAMLMap, key: string): Place | null {
  const pair = map.items.findLast((each) => keyOf(each) === key);
  return pair && isNode(pair.key) && isNode(pair.value) ? { key: pair.key, value: pair.value } : null;
}

/** Start and end of a node in the text, its line's end not included. */
function rangeOf(node: Node): readonly [number, number] {
  if (!node.range) throw new EditRefused('its place in the file is unknown');
  return [node.range[0], node.range[1]];
}

function refuseShared(document: Document, node: Node): void {
  const anchor = isAlias(node) ? undefined : (node as { anchor?: string }).anchor;
  if (anchor === undefined) return;
  let isUsed = false;
  visit(document, {
    Alias: (_, alias) => {
      isUsed ||= alias.source === anchor;
    },
  });
  if (isUsed) throw new EditRefused(`its value has the anchor &${anchor}, which other keys use`);
}

function written(value: WrittenValue, inFlow: boolean): string {
  if (typeof value === 'object' && value.length === 0) return '[]';
  // In brackets a comma or brace would end it, and JSON is YAML.
  if (inFlow) return JSON.stringify(value);
  return stringify(value, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 }).trimEnd();
}

function replaced(text: string, document: Document, inFlow: boolean, place: Place, value: WrittenValue): string {
  const { value: old } = place;
  refuseShared(document, old);
  const [start, end] = rangeOf(old);
  const isBlockList = isSeq(old) && old.flow !== true;
  if (isBlockList && Array.isArray(value)) {
    const items = value as readonly string[];
    if (items.length > 0) return blockList(text, old, items);
  }
  const afterColon = colonOf(text, place) + 1;
  const between = text.slice(afterColon, start);
  // What stands between colon and value is an anchor, a tag, or the line end before a block.
  const from = between.includes('#') ? start : afterColon;
  const lead = from === afterColon ? ' ' : '';
  const tail = /[\r\n]/.test(text.slice(end - 1, end)) ? lineEnd(text) : '';
  return splice(text, from, end, `${lead}${written(value, inFlow)}${tail}`);
}

function colonOf(text: string, { key, value }: Place): number {
  const [, keyEnd] = rangeOf(key);
  const colon = text.indexOf(':', keyEnd);
  if (colon === -1 || colon > rangeOf(value)[0]) throw new EditRefused('it is not written as key: value');
  return colon;
}

/** A list with a line for each item: lines of items that stay are kept with their comments. */
function blockList(text: string, old: YAMLSeq, items: readonly string[]): string {
  const [start, end] = rangeOf(old);
  const indent = text.slice(lineStart(text, start), start);
  const eol = lineEnd(text);
  const line = (item: string) => `- ${written(item, false)}${eol}`;
  const lines = old.items.map((node) => {
    if (!isScalar(node) || typeof node.value !== 'string') return null;
    const [itemStart, itemEnd] = rangeOf(node);
    const from = lineStart(text, itemStart);
    return { item: node.value, from, to: nextLine(text, itemEnd), isOwn: from >= lineStart(text, start) };
  });
  const known = lines.flatMap((each) => (each === null ? [] : [each.item]));
  const stay = items.filter((item) => known.includes(item));
  const inOrder = JSON.stringify(stay) === JSON.stringify(known.filter((item) => items.includes(item)));
  const appended = items.slice(stay.length);
  const isSimple = known.length === old.items.length && new Set(known).size === known.length;
  if (!isSimple || !inOrder || stay.length === 0 || stay.some((item, index) => items[index] !== item)) {
    const all = items.map((item, index) => `${index === 0 ? '' : indent}${line(item)}`).join('');
    return splice(text, start, end, end > start && /[\r\n]/.test(text.charAt(end - 1)) ? all : all.trimEnd());
  }
  const last = lines.at(-1);
  const at = last?.to ?? end;
  const head = text.slice(0, at);
  const lead = appended.length > 0 && !/[\r\n]$/.test(head) ? eol : '';
  let result = splice(text, at, at, lead + appended.map((item) => `${indent}${line(item)}`).join(''));
  for (const gone of lines.toReversed()) {
    if (gone !== null && !items.includes(gone.item)) result = splice(result, gone.from, gone.to, '');
  }
  return result;
}

function inserted(text: string, map: YAMLMap | null, edit: Extract<FileEdit, { kind: 'set' }>): string {
  const eol = lineEnd(text);
  if (map?.flow) {
    const close = rangeOf(map)[1] - 1;
    const lead = map.items.length === 0 ? '' : ', ';
    return splice(text, close, close, `${lead}${JSON.stringify(edit.key)}: ${written(edit.value, true)}`);
  }
  const [first] = map?.items ?? [];
  const column = first && isNode(first.key) ? rangeOf(first.key)[0] : 0;
  const indent = text.slice(lineStart(text, column), column).replace(/[^ ]/g, '');
  const line = `${indent}${edit.key}: ${written(edit.value, false)}${eol}`;
  const marker = /^\.\.\.(?=\s|$)/m.exec(text);
  const at = marker?.index ?? text.length;
  const head = text.slice(0, at);
  const isBare = head.trim() === '' || /[\r\n]$/.test(head);
  // Comments alone: a blank line keeps them from looking like they explain the new key.
  const gap = map === null && head.trim() !== '' ? eol : '';
  return splice(text, at, at, `${isBare ? '' : eol}${gap}${line}`);
}

function removedOnce(text: string, key: string): string | null {
  const document = parseDocument(text, { uniqueKeys: false, version: '1.2' });
  const map = isMap(document.contents) ? document.contents : null;
  const place = map === null ? null : placeOf(map, key);
  if (map === null || place === null) return null;
  refuseShared(document, place.value);
  const [start] = rangeOf(place.key);
  const [, end] = rangeOf(place.value);
  if (map.flow !== true) {
    const isWhole = end > start && /[\r\n]/.test(text.charAt(end - 1));
    return splice(text, lineStart(text, start), isWhole ? end : nextLine(text, end), '');
  }
  const index = map.items.findLastIndex((pair) => keyOf(pair) === key);
  const following = map.items[index + 1]?.key;
  if (isNode(following)) return splice(text, start, rangeOf(following)[0], '');
  const before = map.items[index - 1]?.value;
  return splice(text, isNode(before) ? rangeOf(before)[1] : start, end, '');
}
