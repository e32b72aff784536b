/** Edits of TOML settings files: nothing but the value in question changes. */
import { endOfTomlValue, tomlEntries } from '../parse/tomlFile.ts';
import { EditRefused, lineEnd, lineStart, nextLine, splice, type FileEdit, type WrittenValue } from './edits.ts';

/** @throws {EditRefused} where the key isn't in the file, or is a table */
export function editToml(text: string, edit: FileEdit): string {
  if (edit.kind === 'set') {
    const entry = tomlEntries(text).find(({ key }) => key === edit.key);
    if (entry === undefined) throw new EditRefused(`${edit.key} is not in it any more`);
    if (entry.valueStart === null) throw new EditRefused(`${edit.key} is a table there`);
    const end = endOfTomlValue(text, entry.valueStart);
    return splice(text, entry.valueStart, end, written(text, text.slice(entry.valueStart, end), edit.value));
  }
  let result = text;
  for (const { key, start, end, valueStart } of tomlEntries(text).toReversed()) {
    if (!edit.keys.includes(key)) continue;
    if (valueStart === null) throw new EditRefused(`${key} is a table there`);
    result = splice(result, lineStart(result, start), nextLine(result, end), '');
  }
  return result;
}

function written(text: string, old: string, value: WrittenValue): string {
  if (typeof value === 'object') {
    if (value.length === 0 || !/^\[\s*[\r\n]/.test(old)) return `[${value.map((item) => quoted(item)).join(', ')}]`;
    const eol = lineEnd(text);
    const indent = /[\r\n]([ \t]*)[^\s\]]/.exec(old)?.[1] ?? '  ';
    return `[${eol}${value.map((item) => `${indent}${quoted(item)},${eol}`).join('')}]`;
  }
  return typeof value === 'string' ? quoted(value, old.startsWith("'")) : String(value);
}

function quoted(text: string, isLiteral = false): string {
  return isLiteral && /^[^'\p{Cc}]*$/u.test(text) ? `'${text}'` : JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}
