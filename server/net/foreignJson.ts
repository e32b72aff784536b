/** Decodes JSON of another program strictly, and copies it within bounds, so that later code can process it safely. */
import { isObject } from '../../api/client/wire.ts';
import { exactText, parseExactJson } from '../../api/exactJson.ts';
import { cleanText, maxTextLength } from '../logging/text.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Limits of a foreign JSON object; the rest is dropped. */
export interface JsonBounds {
  /** Maximum levels of objects and lists, including the outermost one. */
  readonly depth: number;
  /** Maximum members of one object or list. */
  readonly members: number;
  /** Maximum total number of values. */
  readonly values: number;
  /** Maximum characters of each text; a longer one is truncated with `…`. */
  readonly text: number;
  /** Maximum total characters of all texts and names. */
  readonly allText: number;
}

/** A manager's health object: small, flat, with user-facing texts. Real ones have at most 14 scalar members. */
export const healthBounds: JsonBounds = { depth: 3, members: 64, values: 200, text: maxTextLength, allText: 16_000 };

/** Bodies of another lab manager: a history of six managers has about 20,000 values and as many short texts. */
export const labBounds: JsonBounds = { depth: 12, members: 5000, values: 200_000, text: 2000, allText: 4_000_000 };

/** Maximum length of a member's name; a longer one is dropped with its value. */
const maxNameLength = 100;

export interface JsonReading {
  /** Whether a list is accepted as well: it becomes an object with the indices as keys. */
  readonly acceptsList?: boolean;
  /** Whether numbers that JavaScript would change are kept as `parseExactJson` keeps them. */
  readonly isExact?: boolean;
}

/** The JSON object in `bytes`, or `null` if they are not UTF-8, JSON, or an object. */
export function readJsonObject(
  bytes: Uint8Array,
  { acceptsList = false, isExact = false }: JsonReading = {},
): JsonObject | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // The native parser refuses Python's NaN, which other clients of our response could not read.
    const rounded: unknown = JSON.parse(text);
    const value = isExact ? parseExactly(text, rounded) : rounded;
    if (acceptsList && Array.isArray(value)) return { ...(value as unknown[]) } as JsonObject;
    return isObject(value) ? value : null;
  } catch (error) {
    // TextDecoder's fatal mode throws a TypeError.
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

/** `rounded` if a key occurs twice, which has its last value as in Python, or if the value is nested too deeply. */
function parseExactly(text: string, rounded: unknown): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return rounded;
  }
}

/**
 * A copy of `body` within `bounds`: scalars and cleaned texts, and objects and lists of them up to the maximum depth.
 * @param first names that are always kept
 */
export function boundedObject(body: JsonObject, bounds: JsonBounds, first: readonly string[] = []): JsonObject {
  const budget = { values: bounds.values, text: bounds.allText };
  const retained = new Map(
    sortedNames(body, first)
      .slice(0, bounds.members)
      .flatMap((name) => {
        const value = limitValue(body[name], bounds, budget, bounds.depth - 1);
        return value === undefined ? [] : [[name, value] as const];
      }),
  );
  return Object.fromEntries(
    Object.keys(body).flatMap((name) => (retained.has(name) ? [[name, retained.get(name)]] : [])),
  );
}

/** The names of `body`: `first`, then those of plain values, then those of objects and lists. */
function sortedNames(body: JsonObject, first: readonly string[]): readonly string[] {
  const rank = (name: string) => (first.includes(name) ? 0 : typeof body[name] === 'object' ? 2 : 1);
  return Object.keys(body)
    .filter((name) => isName(name))
    .toSorted((a, b) => rank(a) - rank(b));
}

/** Assigning `__proto__` would set the prototype. */
function isName(name: string): boolean {
  return name !== '__proto__' && name.length <= maxNameLength && name === cleanText(name, maxNameLength);
}

function limitValue(
  value: unknown,
  bounds: JsonBounds,
  budget: { values: number; text: number },
  levels: number,
): unknown {
  budget.values -= 1;
  if (budget.values < 0) return undefined;
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string')
    return exactText(value) === null ? spendText(cleanText(value, bounds.text), budget) : spendText(value, budget);
  if (typeof value !== 'object' || levels <= 0) return undefined;
  if (Array.isArray(value)) {
    return value.slice(0, bounds.members).flatMap((item: unknown) => {
      const retained = limitValue(item, bounds, budget, levels - 1);
      return retained === undefined ? [] : [retained];
    });
  }
  const entries = Object.entries(value).filter(([name]) => isName(name));
  return Object.fromEntries(
    entries.slice(0, bounds.members).flatMap(([name, member]) => {
      const retained =
        spendText(name, budget) === undefined ? undefined : limitValue(member, bounds, budget, levels - 1);
      return retained === undefined ? [] : [[name, retained]];
    }),
  );
}

function spendText(text: string, budget: { text: number }): string | undefined {
  budget.text -= text.length;
  return budget.text < 0 ? undefined : text;
}
