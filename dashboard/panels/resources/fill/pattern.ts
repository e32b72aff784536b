/**
 * Names by pattern: `sample_{001..096}`, `plate_{A..H}{1..12}`, `{left,right}_{2..10..2}`. The last braces count fastest;
 * `{{` and `}}` are braces themselves. Pure.
 */
import { fillTexts } from './texts.ts';
import { rowName } from '../../../components/plate/plate.ts';

/** @param value from 1 */
export const letters = (value: number): string => rowName(value - 1);

export function numberOfLetters(text: string): number {
  return [...text.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

const texts = fillTexts.pattern;
/** As many as the largest plate of wells, several times over; more is a slip of the finger. */
export const mostNames = 10_000;

type PatternRead =
  { readonly ok: true; readonly names: readonly string[] } | { readonly ok: false; readonly problem: string };

type PatternPart = readonly string[];

/** @returns the names in their order, or why the pattern makes none */
export function readPattern(pattern: string): PatternRead {
  if (pattern.trim() === '') return { ok: false, problem: texts.empty };
  const parts: PatternPart[] = [];
  let literal = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const sign = pattern[at] ?? '';
    if ((sign === '{' || sign === '}') && pattern[at + 1] === sign) {
      literal += sign;
      at += 1;
    } else if (sign === '}') return { ok: false, problem: texts.closed(at + 1) };
    else if (sign === '{') {
      const end = pattern.indexOf('}', at);
      if (end === -1) return { ok: false, problem: texts.open(at + 1) };
      const part = readBraces(pattern.slice(at + 1, end));
      if ('problem' in part) return { ok: false, problem: part.problem };
      parts.push([literal], part.values);
      literal = '';
      at = end;
    } else literal += sign;
  }
  parts.push([literal]);
  const count = parts.reduce((product, { length }) => product * length, 1);
  if (count > mostNames) return { ok: false, problem: texts.many(count, mostNames) };
  const names = combined(parts);
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) return { ok: false, problem: texts.twice(twice) };
  return { ok: true, names };
}

function combined(parts: readonly PatternPart[]): string[] {
  return parts.reduce<string[]>((names, part) => names.flatMap((name) => part.map((value) => name + value)), ['']);
}

type Values = { readonly values: PatternPart } | { readonly problem: string };

function readBraces(inside: string): Values {
  const shown = `{${inside}}`;
  const range = /^\s*([^\s.,]+)\.\.([^\s.,]+?)(?:\.\.(\d+))?\s*$/.exec(inside);
  if (range === null) {
    const values = inside.split(',').map((value) => value.trim());
    return values.length < 2 || values.includes('') ? { problem: texts.braces(shown) } : { values };
  }
  const [, from = '', to = '', stepText = '1'] = range;
  const step = Number(stepText);
  if (step === 0) return { problem: texts.step(shown) };
  if (/^\d+$/.test(from) && /^\d+$/.test(to)) return numbers(from, to, step, shown);
  if (/^[A-Za-z]{1,2}$/.test(from) && /^[A-Za-z]{1,2}$/.test(to)) return letterRange(from, to, step, shown);
  return { problem: texts.ends(shown) };
}

/** A leading zero asks for as many digits everywhere. */
function numbers(from: string, to: string, step: number, shown: string): Values {
  const width = /^0\d/.test(from) || /^0\d/.test(to) ? Math.max(from.length, to.length) : 1;
  return steps(Number(from), Number(to), step, shown, (value) => String(value).padStart(width, '0'));
}

function letterRange(from: string, to: string, step: number, shown: string): Values {
  const upper = from === from.toUpperCase();
  if (upper !== (to === to.toUpperCase())) return { problem: texts.ends(shown) };
  return steps(numberOfLetters(from), numberOfLetters(to), step, shown, (value) =>
    upper ? letters(value) : letters(value).toLowerCase(),
  );
}

function steps(from: number, to: number, step: number, shown: string, text: (value: number) => string): Values {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return { problem: texts.ends(shown) };
  const count = Math.floor(Math.abs(to - from) / step) + 1;
  if (count > mostNames) return { problem: texts.many(count, mostNames) };
  const direction = to < from ? -step : step;
  return { values: Array.from({ length: count }, (_value, index) => text(from + index * direction)) };
}
