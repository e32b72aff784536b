/** What every reader hands on: keys with raw values and where they stood, and what was wrong with the source. */
import { errorText } from '../../../api/errorText.ts';
import { redactText } from '../../logging/redact.ts';
import type { SettingsProblem } from '../schema/types.ts';

/**
 * A value before it is parsed. `text`: environment and dotenv, lists are JSON. `option`: command line, an option may
 * be repeated. `native`: files and constructor arguments, with their own types.
 */
export type RawValue =
  | { readonly style: 'text'; readonly text: string }
  | { readonly style: 'option'; readonly texts: readonly string[] }
  | { readonly style: 'native'; readonly value: unknown };

/** Line and column count from 1; `null` where they are unknown. */
export interface Place {
  readonly line: number | null;
  readonly column: number | null;
}

/** A top-level key of a source. */
export interface FoundKey extends Place {
  readonly key: string;
  readonly raw: RawValue;
}

/** What a reader found. With an error among the problems the keys may be incomplete. */
export interface Reading {
  readonly keys: readonly FoundKey[];
  readonly problems: readonly SettingsProblem[];
}

/** A place in a text; line and column count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Lines and columns of a text whose lines end with LF, CRLF or CR; found once, so that asking for many places is cheap. */
export class LinePositions {
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#starts = [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), (end) => end.index + end[0].length)];
  }

  /** The place of an offset. */
  at(offset: number): Position {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}

/** Of a parser's message that much is looked at, in characters. */
const longestReason = 1000;

/** A parser's own reason; that its stack was too small for the nesting is said in the user's terms. */
export function parserReason(error: unknown): string {
  const message = errorText(error);
  return /call stack|stack overflow/i.test(message)
    ? 'lists or mappings are nested too deeply'
    : // A parser may quote what it stumbles over.
      redactText(message.slice(0, longestReason));
}
