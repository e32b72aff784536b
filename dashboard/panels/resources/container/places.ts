/** Contents and coloring of the places of a row, grid or voxel grid. */
import type { Well } from '#dashboard/components/plate/plate.ts';
import { wellName } from '#dashboard/components/plate/plate.ts';
import { getAmount } from '#dashboard/managers/resource/amount.ts';
import type { ResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import type { ResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { convertAmount, convertibleUnits } from '#dashboard/managers/resource/units.ts';
import { resourceTexts } from '#dashboard/managers/resource/texts.ts';
import { formatAmountWithCapacity, formatAttribute } from '../columns.ts';
import { resourcesTexts } from '../texts.ts';
import { toNumber } from '#api/exactJson.ts';

const texts = resourcesTexts.page;

export interface Places {
  readonly rows: number;
  readonly columns: number;
  /** Row by row; `null` for an empty place. */
  readonly cells: readonly (ResourceRow | null)[];
}

/** Returns the places of a row, a grid, or one layer of a voxel grid; missing sizes are derived from the children. */
export function getPlaces(row: ResourceRow, index: ResourceIndex, layer = 0): Places {
  const plate = row.type === 'voxel_grid' ? childAt(row, layer, index) : row;
  if (plate === null)
    return { rows: row.rows ?? 0, columns: row.columns ?? 0, cells: emptyCells(row.rows, row.columns) };
  const lines = plate.type === 'row' ? [plate] : plate.children.map((_id, position) => childAt(plate, position, index));
  const widths = lines.map((line) => Math.max(line?.columns ?? 0, line?.children.length ?? 0));
  const columns = Math.max(row.columns ?? 0, ...widths);
  // The manager pads the list of a grid's rows to the number of its columns.
  const usedRowCount = lines.findLastIndex((line) => line !== null) + 1;
  const rows = plate.type === 'row' ? 1 : Math.max(row.rows ?? lines.length, usedRowCount);
  const cells = Array.from({ length: rows * columns }, (_cell, position) => {
    const line = lines[Math.floor(position / columns)];
    return line === undefined || line === null ? null : childAt(line, position % columns, index);
  });
  return { rows, columns, cells };
}

/** Returns the layers of a voxel grid as choices; empty for any other resource. */
export function listLayers({ type, layers, children }: ResourceRow): readonly { key: number; title: string }[] {
  // The manager pads the list of layers, as it does with the rows of a grid.
  const usedCount = children.findLastIndex((child) => child !== null) + 1;
  const count = type === 'voxel_grid' ? Math.max(layers ?? children.length, usedCount) : 0;
  return Array.from({ length: count }, (_layer, key) => ({ key, title: texts.layer(key) }));
}

/** An empty position with its row and its column there, from 0. */
export interface FreePosition {
  /** `A1`, or `A1/2` in the second layer. */
  readonly name: string;
  readonly line: ResourceRow;
  readonly column: number;
}

/** Returns the empty positions of a row, a grid or a voxel grid. */
export function listFreePositions(row: ResourceRow, index: ResourceIndex): readonly FreePosition[] {
  const hasLayers = row.type === 'voxel_grid';
  const plates = hasLayers ? row.children.map((_id, layer) => childAt(row, layer, index)) : [row];
  return plates.flatMap((plate, layer) => {
    if (plate === null) return [];
    const lines = plate.type === 'row' ? [plate] : plate.children.map((_id, line) => childAt(plate, line, index));
    const columns = Math.max(...lines.map((line) => line?.children.length ?? 0));
    return lines.flatMap((line, number) =>
      (line?.children ?? []).flatMap((child, column) => {
        const name = wellName(number * columns + column, columns) + (hasLayers ? `/${layer + 1}` : '');
        return child === null && line !== null ? [{ name, line, column }] : [];
      }),
    );
  });
}

function childAt(row: ResourceRow, position: number, index: ResourceIndex): ResourceRow | null {
  const id = row.children[position];
  return id === undefined || id === null ? null : (index.byId.get(id) ?? null);
}
function emptyCells(rows: number | null, columns: number | null): null[] {
  return Array.from({ length: (rows ?? 0) * (columns ?? 0) }, () => null);
}

/** Colorings of a plate: `quantity`, `quantity.` with its unit, `fill`, `class`, `type`, or `attribute.` with its name. */
interface Coloring {
  readonly key: string;
  readonly title: string;
}

/** Returns the colorings that apply to these cells, most informative first. */
export function listColorings(cells: readonly (ResourceRow | null)[]): readonly Coloring[] {
  const resources = cells.filter((cell) => cell !== null);
  const names = new Set(resources.flatMap(({ attributes }) => Object.keys(attributes)));
  return [
    ...quantityColorings(resources),
    ...(resources.some((cell) => getAmount(cell)?.fraction !== null && cell.quantity !== null)
      ? [{ key: 'fill', title: 'Fill level' }]
      : []),
    { key: 'class', title: 'Class' },
    { key: 'type', title: 'Type' },
    ...[...names].toSorted().map((name) => ({ key: `attribute.${name}`, title: name })),
  ];
}

/** Returns a coloring for all quantities that can be converted into one unit, and one for each other unit. */
function quantityColorings(resources: readonly ResourceRow[]): readonly Coloring[] {
  const units = resources.flatMap(({ quantity, unit }) => (quantity === null ? [] : [unit]));
  const groups = convertibleUnits(units);
  return groups.map((unit) => ({
    key: unit === '' ? 'quantity' : `quantity.${unit}`,
    title:
      unit === '' ? (groups.length > 1 ? 'Quantity without a unit' : 'Quantity') : texts.colorings.quantityIn(unit),
  }));
}

function colorValue(cell: ResourceRow, coloring: string): number | string | null {
  const quantityUnit = coloring === 'quantity' ? '' : /^quantity\.(.*)$/s.exec(coloring)?.[1];
  if (quantityUnit !== undefined)
    return cell.quantity === null ? null : convertAmount(cell.quantity, cell.unit, quantityUnit);
  if (coloring === 'fill') return getAmount(cell)?.fraction ?? null;
  if (coloring === 'class') return cell.cls || null;
  if (coloring === 'type') return resourceTexts.type(cell.type);
  const value = cell.attributes[coloring.replace(/^attribute\./, '')];
  if (value === undefined || value === null || value === '') return null;
  return toNumber(value) ?? formatAttribute(value);
}

export function toWells({ cells, columns }: Places, coloring: string): readonly Well[] {
  return cells.map((cell, index) => {
    const name = wellName(index, columns);
    if (cell === null) return { label: `${name}, ${texts.emptyPlace.toLowerCase()}`, value: null, isOccupied: false };
    const parts = [name, cell.name, formatAmountWithCapacity(getAmount(cell)), cell.cls].filter(Boolean);
    return { label: parts.join(', '), value: colorValue(cell, coloring), isOccupied: true };
  });
}
