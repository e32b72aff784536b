/** Plans names and places of many new children; a plan never uses an occupied place. */
import { rowName, parseRowName, parseWellName, wellName } from '#dashboard/components/plate/plate.ts';
import { isKeyed, isOrdered, isGrid, type ResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { countFreePlaces, pushCollides } from '#dashboard/managers/resource/operations.ts';
import type { ResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import { resourcesTexts } from '../texts.ts';
import { getPlaces } from '../container/places.ts';
import { fillTexts as texts } from '../batch/texts.ts';

export interface PlannedChild {
  readonly name: string;
  /** Display name of the place: `A3`, a key, a position. */
  readonly place: string;
  /** The container itself, or the row of the plate. */
  readonly parentId: string;
  /** `null` if the child is pushed and the manager sets the key. */
  readonly key: string | null;
  /** Index in the plate map; -1 without a plate. */
  readonly plateIndex: number;
}

export interface FillPlan {
  readonly children: readonly PlannedChild[];
  /** Occupied places that the plan skips, with the names of their resources. */
  readonly occupied: readonly { readonly place: string; readonly name: string }[];
  /** Names without a place. */
  readonly unplacedNames: readonly string[];
  /** The reason why nothing can be added. */
  readonly problem: string | null;
}

export interface FillOptions {
  /** As typed: `A1`. Empty: the first place. */
  readonly start: string;
  readonly order: 'row' | 'column';
  /** The name planned for an occupied place gets the next free place, or is left out. */
  readonly occupiedMode: 'next' | 'leaveOut';
  /** Of a voxel grid, from 0. */
  readonly layer: number;
  /** Base type of the children. */
  readonly type: string;
}

const failedPlan = (problem: string): FillPlan => ({ children: [], occupied: [], unplacedNames: [], problem });

export function planFill(
  row: ResourceRow,
  index: ResourceIndex,
  names: readonly string[],
  options: FillOptions,
): FillPlan {
  if (isGrid(row)) return planPlaces(row, index, names, options);
  if (isOrdered(row)) return planOrdered(row, index, names);
  if (!isKeyed(row)) return failedPlan('It can’t contain children.');
  if (row.type === 'pool' && !options.type.endsWith('consumable'))
    return failedPlan('A pool accepts only consumables.');
  return planKeyed(row, index, names);
}

/** Returns the IDs of the rows of a plate or one layer, from the top; `null` for a row that the manager does not have. */
export function plateRowIds(row: ResourceRow, index: ResourceIndex, layer: number): readonly (string | null)[] {
  if (row.type === 'row') return [row.id];
  const plate = row.type === 'voxel_grid' ? index.byId.get(row.children[layer] ?? '') : row;
  return plate?.children ?? [];
}

/** Returns the positions from `start` on in the order of filling; positions are counted row by row. */
export function fillOrder(rows: number, columns: number, start: number, order: 'row' | 'column'): number[] {
  const all = Array.from({ length: rows * columns }, (_place, position) =>
    order === 'row' ? position : (position % rows) * columns + Math.floor(position / rows),
  );
  return all.slice(all.indexOf(start));
}

function planPlaces(row: ResourceRow, index: ResourceIndex, names: readonly string[], options: FillOptions): FillPlan {
  const { rows, columns, cells } = getPlaces(row, index, options.layer);
  const lines = plateRowIds(row, index, options.layer);
  const start = options.start.trim() === '' ? 0 : parsePlace(options.start, rows, columns);
  if (start === null)
    return failedPlan(
      `${options.start.trim()} is not a position of this container. Enter one such as ${wellName(rows * columns - 1, columns)}.`,
    );
  const children: PlannedChild[] = [];
  const occupied: { place: string; name: string }[] = [];
  const pendingNames = [...names];
  for (const position of fillOrder(rows, columns, start, options.order)) {
    if (pendingNames.length === 0) break;
    const place = wellName(position, columns);
    const occupant = cells[position] ?? null;
    const line = lines[Math.floor(position / columns)] ?? null;
    if (line === null) return failedPlan('One of its rows is missing in the resource manager.');
    if (occupant !== null) {
      occupied.push({ place, name: occupant.name });
      if (options.occupiedMode === 'leaveOut') pendingNames.shift();
      continue;
    }
    const name = pendingNames.shift() ?? '';
    children.push({ name, place, parentId: line, key: String(position % columns), plateIndex: position });
  }
  return { children, occupied, unplacedNames: pendingNames, problem: null };
}

/** Parses `C4`; for a single row also the number alone. */
function parsePlace(text: string, rows: number, columns: number): number | null {
  const isNumber = /^\d+$/.test(text.trim());
  return parseWellName(isNumber && rows === 1 ? `${rowName(0)}${text.trim()}` : text, rows, columns);
}

function planOrdered(row: ResourceRow, index: ResourceIndex, names: readonly string[]): FillPlan {
  const children = index.getChildren(row);
  if (pushCollides(row, children)) return failedPlan(resourcesTexts.operations.pushCollides);
  const freeCount = countFreePlaces(row, children.length);
  return {
    children: names.slice(0, freeCount).map((name, position) => ({
      name,
      place: texts.position(children.length + position + 1),
      parentId: row.id,
      key: null,
      plateIndex: -1,
    })),
    occupied: [],
    unplacedNames: names.slice(freeCount),
    problem: null,
  };
}

function planKeyed(row: ResourceRow, index: ResourceIndex, names: readonly string[]): FillPlan {
  const existingNames = new Map(index.getChildren(row).map((child) => [child.key ?? '', child.name]));
  const freeNames = names.filter((name) => !existingNames.has(name));
  const freeCount = countFreePlaces(row, existingNames.size);
  return {
    children: freeNames
      .slice(0, freeCount)
      .map((name) => ({ name, place: name, parentId: row.id, key: name, plateIndex: -1 })),
    occupied: names.flatMap((name) => {
      const occupantName = existingNames.get(name);
      return occupantName === undefined ? [] : [{ place: name, name: occupantName }];
    }),
    unplacedNames: freeNames.slice(freeCount),
    problem: null,
  };
}

const patternTexts = texts.pattern;
/** Several times the number of wells of the largest plate; a larger number is a typing error. */
export const maxNames = 10_000;

type PatternResult =
  { readonly ok: true; readonly names: readonly string[] } | { readonly ok: false; readonly problem: string };

type PatternPart = readonly string[];

/**
 * Expands a name pattern: `sample_{001..096}`, `plate_{A..H}{1..12}`, `{left,right}_{2..10..2}`. The last braces vary
 * fastest; `{{` and `}}` are literal braces.
 * @returns the names in their order, or why the pattern is invalid
 */
export function parsePattern(pattern: string): PatternResult {
  if (pattern.trim() === '') return { ok: false, problem: 'Enter a pattern, such as sample_{001..096}.' };
  const parts: PatternPart[] = [];
  let literal = '';
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index] ?? '';
    if ((character === '{' || character === '}') && pattern[index + 1] === character) {
      literal += character;
      index += 1;
    } else if (character === '}') return { ok: false, problem: patternTexts.unopened(index + 1) };
    else if (character === '{') {
      const end = pattern.indexOf('}', index);
      if (end === -1) return { ok: false, problem: patternTexts.unclosed(index + 1) };
      const part = readBraces(pattern.slice(index + 1, end));
      if ('problem' in part) return { ok: false, problem: part.problem };
      parts.push([literal], part.values);
      literal = '';
      index = end;
    } else literal += character;
  }
  parts.push([literal]);
  const count = parts.reduce((product, { length }) => product * length, 1);
  if (count > maxNames) return { ok: false, problem: patternTexts.tooMany(count, maxNames) };
  const names = expandPattern(parts);
  const seen = new Set<string>();
  const duplicate = names.find((name) => seen.size === seen.add(name).size);
  if (duplicate !== undefined) return { ok: false, problem: `The pattern produces “${duplicate}” twice.` };
  return { ok: true, names };
}

function expandPattern(parts: readonly PatternPart[]): string[] {
  return parts.reduce<string[]>((names, part) => names.flatMap((name) => part.map((value) => name + value)), ['']);
}

type Values = { readonly values: PatternPart } | { readonly problem: string };

function readBraces(inside: string): Values {
  const source = `{${inside}}`;
  const range = /^\s*([^\s.,]+)\.\.([^\s.,]+?)(?:\.\.(\d+))?\s*$/.exec(inside);
  if (range === null) {
    const values = inside.split(',').map((value) => value.trim());
    return values.length < 2 || values.includes('') ? { problem: patternTexts.braces(source) } : { values };
  }
  const [, from = '', to = '', stepText = '1'] = range;
  const step = Number(stepText);
  if (step === 0) return { problem: `The step of ${source} is 0.` };
  if (/^\d+$/.test(from) && /^\d+$/.test(to)) return numberRange(from, to, step, source);
  if (/^[A-Za-z]{1,2}$/.test(from) && /^[A-Za-z]{1,2}$/.test(to)) return letterRange(from, to, step, source);
  return { problem: patternTexts.ends(source) };
}

/** A leading zero sets a fixed number of digits. */
function numberRange(from: string, to: string, step: number, source: string): Values {
  const width = /^0\d/.test(from) || /^0\d/.test(to) ? Math.max(from.length, to.length) : 1;
  return expandSteps(Number(from), Number(to), step, source, (value) => String(value).padStart(width, '0'));
}

function letterRange(from: string, to: string, step: number, source: string): Values {
  const isUpperCase = from === from.toUpperCase();
  if (isUpperCase !== (to === to.toUpperCase())) return { problem: patternTexts.ends(source) };
  return expandSteps(parseRowName(from), parseRowName(to), step, source, (value) =>
    isUpperCase ? rowName(value) : rowName(value).toLowerCase(),
  );
}

function expandSteps(
  from: number,
  to: number,
  step: number,
  source: string,
  format: (value: number) => string,
): Values {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return { problem: patternTexts.ends(source) };
  const count = Math.floor(Math.abs(to - from) / step) + 1;
  if (count > maxNames) return { problem: patternTexts.tooMany(count, maxNames) };
  const direction = to < from ? -step : step;
  return { values: Array.from({ length: count }, (_value, index) => format(from + index * direction)) };
}
