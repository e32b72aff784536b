/** What an edit of a settings file is, for the editor of each format; and what they share. */

/** A value as a file holds it; `'None'` says that there is none. */
export type WrittenValue = string | number | boolean | readonly string[];

/** `key` is as it is spelled in the file; of equal keys the last one counts, and is changed. */
export type FileEdit =
  | { readonly kind: 'set'; readonly key: string; readonly value: WrittenValue }
  /** Every occurrence of these spellings. */
  | { readonly kind: 'remove'; readonly keys: readonly string[] };

/** A text in which the edit can't be made without changing something else; the message says why and follows the file's name. */
export class EditRefused extends Error {
  override readonly name = 'EditRefused';
}

/** `text` with what is between two offsets replaced. */
export function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** @param removedOnce the text without one occurrence of a key; `null` where it has none */
export function withoutKeys(
  text: string,
  keys: readonly string[],
  removedOnce: (text: string, key: string) => string | null,
): string {
  let result = text;
  for (const key of keys) {
    for (let next = removedOnce(result, key); next !== null; next = removedOnce(result, key)) result = next;
  }
  return result;
}

/** The line end that a text has, LF where it has none. */
export function lineEnd(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** Where the line with this offset begins. */
export function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

/** Where the line after the one with this offset begins; the text's end for its last line. */
export function nextLine(text: string, offset: number): number {
  const end = /\r\n|\n|\r/g;
  end.lastIndex = offset;
  const found = end.exec(text);
  return found === null ? text.length : found.index + found[0].length;
}
