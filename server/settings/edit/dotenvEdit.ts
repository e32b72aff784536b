/** Edits of environment files: nothing but the value in question changes. */
import { dotenvAssignments } from '../parse/dotenv.ts';
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

/**
 * In quotes where it needs them, those that were there if they can hold it: as dotenv and a shell's `source` read it alike.
 * Within single quotes only dotenv has escapes; within double quotes only a shell reads `$` and backquotes.
 */
function written(firstOfOld: string, value: WrittenValue): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (text.includes('${')) throw new EditRefused('a value with ${ in it can’t be written in an environment file');
  const isQuoted = firstOfOld === "'" || firstOfOld === '"';
  if (!isQuoted && /^[\w@%+=:,./-]+$/.test(text)) return text;
  const fitsSingle = !/['\\]/.test(text);
  const fitsDouble = !/[$`]/.test(text);
  if (fitsDouble && (!fitsSingle || (firstOfOld === '"' && !text.includes('"'))))
    return `"${text.replace(/[\\"]/g, '\\$&')}"`;
  if (fitsSingle) return `'${text}'`;
  throw new EditRefused(
    "a value with $ or ` beside ' or \\ can’t be written in an environment file, which a shell and this program would read differently",
  );
}
