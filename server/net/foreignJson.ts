/** JSON that another program sent: decoded strictly, and copied within bounds, so that nothing later chokes on it. Pure. */
import { cleanText, maxTextLength } from '../logging/text.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** What is kept of a foreign JSON object; the rest is left out. */
export interface JsonBounds {
  /** Levels of objects and lists, the outermost one included. */
  readonly depth: number;
  /** Members of one object or list. */
  readonly members: number;
  /** Values in all. */
  readonly values: number;
  /** Characters of each text; a longer one is cut with `…`. */
  readonly text: number;
  /** Characters of all texts and names together. */
  readonly allText: number;
}

/** A manager's health object: small, flat, with texts for people. Real ones have at most 14 scalar members. */
export const healthBounds: JsonBounds = { depth: 3, members: 64, values: 200, text: maxTextLength, allText: 16_000 };

/** Bodies of another lab manager: a history of six managers has about 20,000 values and as many short texts. */
export const labBounds: JsonBounds = { depth: 12, members: 5000, values: 200_000, text: 2000, allText: 4_000_000 };

/** Longest name of a member; a longer one is left out with its value. */
const maxNameLength = 100;

/** The JSON object in `bytes`, or `null` where they aren't UTF-8, JSON, or an object. */
export function readJsonObject(bytes: Uint8Array, acceptsList = false): JsonObject | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (acceptsList && Array.isArray(value)) return { ...(value as unknown[]) } as JsonObject;
    return isJsonObject(value) ? value : null;
  } catch (error) {
    // TextDecoder's fatal mode throws a TypeError.
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A copy of `body` within `bounds`: scalars and cleaned texts, and objects and lists of them as deep as allowed.
 * @param first names that are kept whatever else is there
 */
export function boundedObject(body: JsonObject, bounds: JsonBounds, first: readonly string[] = []): JsonObject {
  const budget = { values: bounds.values, text: bounds.allText };
  const retained = new Map(
    names(body, first)
      .slice(0, bounds.members)
      .flatMap((name) => {
        const value = bounded(body[name], bounds, budget, bounds.depth - 1);
        return value === undefined ? [] : [[name, value] as const];
      }),
  );
  return Object.fromEntries(
    Object.keys(body).flatMap((name) => (retained.has(name) ? [[name, retained.get(name)]] : [])),
  );
}

/** The names of `body`: `first`, then those of plain values, then those of objects and lists. */
function names(body: JsonObject, first: readonly string[]): readonly string[] {
  const rank = (name: string) => (first.includes(name) ? 0 : typeof body[name] === 'object' ? 2 : 1);
  return Object.keys(body)
    .filter((name) => isName(name))
    .toSorted((a, b) => rank(a) - rank(b));
}

/** `__proto__` would be taken for something else by whoever assigns it. */
function isName(name: string): boolean {
  return name !== '__proto__' && name.length <= maxNameLength && name === cleanText(name, maxNameLength);
}

function bounded(
  value: unknown,
  bounds: JsonBounds,
  budget: { values: number; text: number },
  levels: number,
): unknown {
  budget.values -= 1;
  if (budget.values < 0) return undefined;
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') return spend(cleanText(value, bounds.text), budget);
  if (typeof value !== 'object' || levels <= 0) return undefined;
  if (Array.isArray(value)) {
    return value.slice(0, bounds.members).flatMap((each: unknown) => {
      const retained = bounded(each, bounds, budget, levels - 1);
      return retained === undefined ? [] : [retained];
    });
  }
  const entries = Object.entries(value).filter(([name]) => isName(name));
  return Object.fromEntries(
    entries.slice(0, bounds.members).flatMap(([name, each]) => {
      const retained = spend(name, budget) === undefined ? undefined : bounded(each, bounds, budget, levels - 1);
      return retained === undefined ? [] : [[name, retained]];
    }),
  );
}

function spend(text: string, budget: { text: number }): string | undefined {
  budget.text -= text.length;
  return budget.text < 0 ? undefined : text;
}
