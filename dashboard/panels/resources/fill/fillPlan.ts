/** What goes where when many children are added: never onto what is there. Pure. */
import { rowName, wellIndex, wellName } from '../../../components/plate/plate.ts';
import { holdsByKey, holdsInOrder, holdsInPlaces, type ResourceRow } from '../../../managers/resource/resourceRow.ts';
import { pushCollides } from '../../../managers/resource/operations.ts';
import type { ResourceIndex } from '../../../managers/resource/resourceIndex.ts';
import { resourcesTexts } from '../texts.ts';
import { placesOf } from '../container/places.ts';
import { fillTexts as texts } from './texts.ts';

/** A place of a container as the manager knows it. */
interface Target {
  /** What people call it: `A3`, a key, a position. */
  readonly place: string;
  /** The container itself, or the row of the plate. */
  readonly parentId: string;
  /** `null`: it is pushed, and the manager gives the key. */
  readonly key: string | null;
}

export interface PlannedChild extends Target {
  readonly name: string;
  /** Index in the picture of a plate; -1 elsewhere. */
  readonly at: number;
}

export interface FillPlan {
  readonly children: readonly PlannedChild[];
  /** Places on the way that something stands in. */
  readonly occupied: readonly { readonly place: string; readonly name: string }[];
  /** Names for which there is no place. */
  readonly left: readonly string[];
  /** Why nothing can be added at all. */
  readonly problem: string | null;
}

export interface FillChoices {
  /** As typed: `A1`. Empty: the first place. */
  readonly start: string;
  readonly order: 'row' | 'column';
  readonly occupied: 'next' | 'leaveOut';
  /** Of a voxel grid, from 0. */
  readonly layer: number;
  /** Base type of the children. */
  readonly type: string;
}

const nothing = (problem: string): FillPlan => ({ children: [], occupied: [], left: [], problem });

export function planFill(
  row: ResourceRow,
  index: ResourceIndex,
  names: readonly string[],
  choices: FillChoices,
): FillPlan {
  if (holdsInPlaces(row)) return inPlaces(row, index, names, choices);
  if (holdsInOrder(row)) return inOrder(row, index, names);
  if (!holdsByKey(row)) return nothing(texts.notContainer);
  if (row.type === 'pool' && !choices.type.endsWith('consumable')) return nothing(texts.poolOnly);
  return byKey(row, index, names);
}

/** The rows of a plate, or of one layer, from the top; `null` where the manager has none. */
export function linesOf(row: ResourceRow, index: ResourceIndex, layer: number): readonly (string | null)[] {
  if (row.type === 'row') return [row.id];
  const part = row.type === 'voxel_grid' ? index.byId.get(row.children[layer] ?? '') : row;
  return part?.children ?? [];
}

/** The places from the start on, by row or by column, as indexes row by row. */
export function walk(rows: number, columns: number, start: number, order: 'row' | 'column'): number[] {
  const all = Array.from({ length: rows * columns }, (_place, at) =>
    order === 'row' ? at : (at % rows) * columns + Math.floor(at / rows),
  );
  return all.slice(all.indexOf(start));
}

function inPlaces(row: ResourceRow, index: ResourceIndex, names: readonly string[], choices: FillChoices): FillPlan {
  const { rows, columns, cells } = placesOf(row, index, choices.layer);
  const lines = linesOf(row, index, choices.layer);
  const start = choices.start.trim() === '' ? 0 : placeIndex(choices.start, rows, columns);
  if (start === null) return nothing(texts.startProblem(choices.start.trim(), wellName(rows * columns - 1, columns)));
  const children: PlannedChild[] = [];
  const occupied: { place: string; name: string }[] = [];
  const waiting = [...names];
  for (const at of walk(rows, columns, start, choices.order)) {
    if (waiting.length === 0) break;
    const place = wellName(at, columns);
    const there = cells[at] ?? null;
    const line = lines[Math.floor(at / columns)] ?? null;
    if (line === null) return nothing(texts.missingRow);
    if (there !== null) {
      occupied.push({ place, name: there.name });
      if (choices.occupied === 'leaveOut') waiting.shift();
      continue;
    }
    const name = waiting.shift() ?? '';
    children.push({ name, place, parentId: line, key: String(at % columns), at });
  }
  return { children, occupied, left: waiting, problem: null };
}

/** `C4`; of a single row also the number alone. */
function placeIndex(text: string, rows: number, columns: number): number | null {
  const plain = /^\d+$/.test(text.trim());
  return wellIndex(plain && rows === 1 ? `${rowName(0)}${text.trim()}` : text, rows, columns);
}

function inOrder(row: ResourceRow, index: ResourceIndex, names: readonly string[]): FillPlan {
  const children = index.childrenOf(row);
  if (pushCollides(row, children)) return nothing(resourcesTexts.operations.pushCollides);
  const capacity = row.type === 'slot' ? 1 : row.capacity === null || row.capacity === 0 ? Infinity : row.capacity;
  const room = Math.max(0, capacity - children.length);
  return {
    children: names.slice(0, room).map((name, position) => ({
      name,
      place: texts.position(children.length + position + 1),
      parentId: row.id,
      key: null,
      at: -1,
    })),
    occupied: [],
    left: names.slice(room),
    problem: null,
  };
}

function byKey(row: ResourceRow, index: ResourceIndex, names: readonly string[]): FillPlan {
  const held = new Map(index.childrenOf(row).map((child) => [child.key ?? '', child.name]));
  const free = names.filter((name) => !held.has(name));
  // The capacity of a pool is an amount, not a number of parts.
  const capacity = row.type === 'pool' || row.capacity === null || row.capacity === 0 ? Infinity : row.capacity;
  const room = Math.max(0, capacity - held.size);
  return {
    children: free.slice(0, room).map((name) => ({ name, place: name, parentId: row.id, key: name, at: -1 })),
    occupied: names.flatMap((name) => {
      const there = held.get(name);
      return there === undefined ? [] : [{ place: name, name: there }];
    }),
    left: free.slice(room),
    problem: null,
  };
}
