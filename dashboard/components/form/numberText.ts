/** Reads a number as people type it. Nothing is guessed: what could mean two things is refused with words. */
import { schemaFormTexts } from './texts.ts';

export type Read<T = unknown> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export const good = <T>(value: T): Read<T> => ({ ok: true, value });
export const bad = (problem: string): Read<never> => ({ ok: false, problem });

const words = schemaFormTexts.problems;
const form = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number; `text` must not be empty. */
export function readNumber(text: string): Read<number> {
  const plain = text.trim().replace(/^−/, '-');
  if (plain === '') return bad(words.empty);
  if (/^[+-]?\d+,\d+$/.test(plain)) return bad(words.comma(plain.replace(',', '.')));
  if (/^[+-]?[\d.,]*,[\d.,]*$/.test(plain)) return bad(words.commas);
  if (/^[+-]?[\d.]+(?:[\s'_][\d.]+)+$/.test(plain)) return bad(words.spaces);
  if (/^[+-]?(?:inf(?:inity)?|nan)$/i.test(plain)) return bad(words.finite);
  if (!form.test(plain)) return bad(words.notNumber(plain));
  const value = Number(plain);
  if (!Number.isFinite(value)) return bad(words.finite);
  if (Number.isInteger(value) && /^[+-]?\d+$/.test(plain) && !Number.isSafeInteger(value)) return bad(words.tooLong);
  return good(value);
}
