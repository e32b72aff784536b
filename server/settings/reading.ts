/** What every reader hands on: keys with raw values and where they stood, and what was wrong with the source. */
import type { SettingsProblem } from './types.ts';

/**
 * A value before it is parsed. `text`: environment and dotenv, lists are JSON. `option`: command line, an option may
 * be repeated. `native`: files and constructor arguments, with their own types.
 */
export type RawValue =
  | { readonly style: 'text'; readonly text: string }
  | { readonly style: 'option'; readonly texts: readonly string[] }
  | { readonly style: 'native'; readonly value: unknown };

/** A top-level key of a source; line and column count from 1. */
export interface FoundKey {
  readonly key: string;
  readonly raw: RawValue;
  readonly line: number | null;
  readonly column: number | null;
}

/** What a reader found. With an error among the problems the keys may be incomplete. */
export interface Reading {
  readonly keys: readonly FoundKey[];
  readonly problems: readonly SettingsProblem[];
}

/** Line and column, from 1, of an offset in a text whose lines end with LF, CRLF or CR. */
export function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
