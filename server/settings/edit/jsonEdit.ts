/** Edits of JSON settings files: nothing but the member in question changes. */
import { parse } from '@humanwhocodes/momoa';
import { EditRefused, lineEnd, lineStart, splice, withoutKeys, type FileEdit, type WrittenValue } from './edits.ts';

interface Member {
  readonly key: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

function membersOf(text: string): readonly Member[] {
  const { body } = parse(text, { mode: 'json' });
  if (body.type !== 'Object') throw new EditRefused('the top level is not an object');
  return body.members.map(({ name, value }) => ({
    key: name.type === 'String' ? name.value : name.name,
    start: name.loc.start.offset,
    valueStart: value.loc.start.offset,
    end: value.loc.end.offset,
  }));
}

/** @throws {EditRefused} where the key isn't in the file */
export function editJson(text: string, edit: FileEdit): string {
  if (edit.kind === 'set') {
    const member = membersOf(text).findLast(({ key }) => key === edit.key);
    if (member === undefined) throw new EditRefused(`${edit.key} is not in it any more`);
    return splice(text, member.valueStart, member.end, written(text, member, edit.value));
  }
  return withoutKeys(text, edit.keys, removedOnce);
}

/** A list has a line for each item where it had so before. */
function written(text: string, { valueStart, end }: Member, value: WrittenValue): string {
  const old = text.slice(valueStart, end);
  if (typeof value !== 'object' || value.length === 0 || !/^\[\s*[\r\n]/.test(old)) return JSON.stringify(value);
  const eol = lineEnd(text);
  const outer = /^[ \t]*/.exec(text.slice(lineStart(text, end - 1)))?.[0] ?? '';
  const inner = /[\r\n]([ \t]*)[^\s\]]/.exec(old)?.[1] ?? `${outer}  `;
  return `[${eol}${value.map((item) => inner + JSON.stringify(item)).join(`,${eol}`)}${eol}${outer}]`;
}

function removedOnce(text: string, key: string): string | null {
  const members = membersOf(text);
  const index = members.findIndex((member) => member.key === key);
  const member = members[index];
  if (member === undefined) return null;
  const following = members[index + 1];
  if (following !== undefined) return splice(text, member.start, following.start, '');
  const before = members[index - 1];
  return splice(text, before?.end ?? member.start, member.end, '');
}
