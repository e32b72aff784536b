/** Edits of environment files: nothing but the value in question changes. */
import { dotenvAssignments } from '../readers/dotenv.ts';
import { EditRefused, lineStart, splice, type FileEdit, type WrittenValue } from './edits.ts';

/** @throws {EditRefused} where the name isn't in the file, or the value can't be written in such a file */
export function editDotenv(text: string, edit: FileEdit): string {
  if (edit.kind === 'set') {
    const place = dotenvAssignments(text).findLast(({ key, value }) => key === edit.key && value !== null)?.value;
    if (place == null) throw new EditRefused(`${edit.key} is not in it any more`);
    return splice(text, place.start, place.end, written(text.charAt(place.start), edit.value));
  }
  let result = text;
  for (const { key, offset, end } of dotenvAssignments(text).toReversed()) {
    if (edit.keys.includes(key)) result = splice(result, lineStart(result, offset), end, '');
  }
  return result;
}

/** In quotes where it needs them, those that were there if they can hold it. */
function written(firstOfOld: string, value: WrittenValue): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (text.includes('${')) throw new EditRefused('a value with ${ in it can’t be written in an environment file');
  const isPlain = /^[^\s'"#](?:[^\r\n'"]*[^\s'"])?$/.test(text) && !/\s#/.test(text);
  if (isPlain && firstOfOld !== "'" && firstOfOld !== '"') return text;
  const escaped = text.replaceAll('\\', '\\\\');
  if (firstOfOld === '"' && !text.includes('"')) return `"${escaped}"`;
  return `'${escaped.replaceAll("'", "\\'")}'`;
}
