/**
 * Fields of a resource in the list's export, independent of the visible columns: everything an import needs to recreate
 * it.
 */
import type { Column } from '#dashboard/components/table/rows/tableRows.ts';
import { isConsumable } from '#dashboard/managers/resource/amount.ts';
import { isOrdered, isGrid, isContainer, type ResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { pathSeparator, type ResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import { resourceTexts } from '#dashboard/managers/resource/texts.ts';
import { wellName } from '#dashboard/components/plate/plate.ts';
import { formatScalar } from '../operations/parseInput.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

/** Returns the number of resources in a container; for a plate its filled wells, because its direct children are rows. */
const countChildren = ({ places, children }: ResourceRow): number =>
  places?.filled ?? children.filter((child) => child !== null).length;

/** Returns the columns of the list's CSV, whose headings an import recognises. */
export function exportedColumns(index: ResourceIndex): NonNullable<Column<ResourceRow>['csvAs']> {
  const parent = (row: ResourceRow): ResourceRow | null => locateResource(row, index).parent;
  const size = (row: ResourceRow, value: number | null): number | null => (isGrid(row) ? value : null);
  return [
    { title: 'Name', value: ({ name }) => name },
    { title: 'ID', value: ({ id }) => id },
    { title: 'Type', value: ({ type }) => resourceTexts.type(type) },
    { title: 'Class', value: ({ cls }) => cls },
    { title: 'Description', value: ({ description }) => description },
    { title: 'Quantity', value: (row) => (isConsumable(row) ? row.quantity : null) },
    {
      title: 'Capacity',
      value: (row) => ((isConsumable(row) || isContainer(row)) && row.type !== 'slot' ? row.capacity : null),
    },
    // An attribute in MADSci 0.8.1, and read as one by an import.
    {
      key: 'attribute.unit',
      title: 'unit (attribute)',
      value: ({ unit, attributes }) => formatScalar(attributes['unit'] ?? (unit || undefined)),
    },
    { title: 'Children', value: (row) => (isContainer(row) ? countChildren(row) : null) },
    {
      title: 'In',
      value: (row) => {
        const container = parent(row);
        return container === null ? '' : formatPath(container, index);
      },
    },
    { title: 'Parent ID', value: (row) => parent(row)?.id ?? '' },
    { title: 'Position', value: (row) => locateResource(row, index).position },
    { title: 'Rows', value: (row) => size(row, row.rows) },
    { title: 'Columns', value: (row) => size(row, row.columns) },
    { title: 'Layers', value: (row) => size(row, row.layers) },
    { title: 'Template', value: ({ template }) => template },
    {
      title: 'Attributes',
      value: ({ attributes }) => (Object.keys(attributes).length === 0 ? '' : stringifyExactJson(attributes)),
    },
  ];
}

interface ResourcePosition {
  /** `null` at the top level. */
  readonly parent: ResourceRow | null;
  /** `A3`, `A3/2` in the second layer, a key, or the position in a stack from 1; empty if there is none. */
  readonly position: string;
}

/**
 * Returns the container and the place of a resource in the file's notation. The container of a well is its plate, not a
 * row.
 */
export function locateResource(row: ResourceRow, index: ResourceIndex): ResourcePosition {
  const parent = findParent(row, index);
  if (parent === null) return { parent, position: '' };
  const columnIndex = parent.children.indexOf(row.id);
  if (parent.type === 'row') return locateInRow(parent, columnIndex, index);
  if (isOrdered(parent)) return { parent, position: String(index.getChildren(parent).indexOf(row) + 1) };
  return { parent, position: row.key ?? '' };
}

function findParent(row: ResourceRow, index: ResourceIndex): ResourceRow | null {
  return row.parentId === null || row.parentId === row.id ? null : (index.byId.get(row.parentId) ?? null);
}

function locateInRow(line: ResourceRow, columnIndex: number, index: ResourceIndex): ResourcePosition {
  const plate = findParent(line, index);
  if (plate?.type !== 'grid') return { parent: line, position: wellName(columnIndex, Math.max(1, line.columns ?? 1)) };
  const columns = Math.max(line.columns ?? 0, plate.columns ?? 0, line.children.length);
  const well = wellName(plate.children.indexOf(line.id) * columns + columnIndex, columns);
  const voxels = findParent(plate, index);
  if (voxels?.type !== 'voxel_grid') return { parent: plate, position: well };
  return { parent: voxels, position: `${well}/${voxels.children.indexOf(plate.id) + 1}` };
}

/** Returns the path of a resource including itself: `cabinet / rack`. */
export function formatPath(row: ResourceRow, index: ResourceIndex): string {
  return [...index.findPath(row), row].map(({ name }) => name).join(pathSeparator);
}
