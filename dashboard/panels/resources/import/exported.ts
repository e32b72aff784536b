/** What the list saves of a resource, whichever columns are shown: all that an import needs to make it again. Pure. */
import type { Column } from '../../../components/table/rows/tableRows.ts';
import { isConsumable } from '../../../managers/resource/amount.ts';
import { isContainer } from '../../../managers/resource/containerKinds.ts';
import type { ResourceIndex } from '../../../managers/resource/resourceIndex.ts';
import type { ResourceRow } from '../../../managers/resource/resourceRow.ts';
import { resourceTexts } from '../../../managers/resource/texts.ts';
import { pathText, whereIs } from './whereIs.ts';

/** Headings of the list's CSV, which an import recognises. */
const exportTitles = {
  name: 'Name',
  id: 'ID',
  type: 'Type',
  cls: 'Class',
  description: 'Description',
  quantity: 'Quantity',
  capacity: 'Capacity',
  children: 'Children',
  parent: 'In',
  parentId: 'Parent ID',
  position: 'Position',
  rows: 'Rows',
  columns: 'Columns',
  layers: 'Layers',
  template: 'Template',
  attributes: 'Attributes',
} as const;

/** Stored columns that only some types have; the manager gives the others too, without a meaning. */
const sized: ReadonlySet<string> = new Set(['row', 'grid', 'voxel_grid']);

/** How many things are in a container. Of a plate the filled wells: its direct children are its rows. */
const childCount = ({ places, children }: ResourceRow): number =>
  places?.filled ?? children.filter((child) => child !== null).length;

export function exportedColumns(index: ResourceIndex): NonNullable<Column<ResourceRow>['csvAs']> {
  const parent = (row: ResourceRow): ResourceRow | null => whereIs(row, index).parent;
  const size = (row: ResourceRow, value: number | null): number | null => (sized.has(row.type) ? value : null);
  return [
    { title: exportTitles.name, value: ({ name }) => name },
    { title: exportTitles.id, value: ({ id }) => id },
    { title: exportTitles.type, value: ({ type }) => resourceTexts.type(type) },
    { title: exportTitles.cls, value: ({ cls }) => cls },
    { title: exportTitles.description, value: ({ description }) => description },
    { title: exportTitles.quantity, value: (row) => (isConsumable(row) ? row.quantity : null) },
    {
      title: exportTitles.capacity,
      value: (row) => ((isConsumable(row) || isContainer(row)) && row.type !== 'slot' ? row.capacity : null),
    },
    { title: exportTitles.children, value: (row) => (isContainer(row) ? childCount(row) : null) },
    {
      title: exportTitles.parent,
      value: (row) => {
        const within = parent(row);
        return within === null ? '' : pathText(within, index);
      },
    },
    { title: exportTitles.parentId, value: (row) => parent(row)?.id ?? '' },
    { title: exportTitles.position, value: (row) => whereIs(row, index).position },
    { title: exportTitles.rows, value: (row) => size(row, row.rows) },
    { title: exportTitles.columns, value: (row) => size(row, row.columns) },
    { title: exportTitles.layers, value: (row) => size(row, row.layers) },
    { title: exportTitles.template, value: ({ template }) => template },
    {
      title: exportTitles.attributes,
      value: ({ attributes }) => (Object.keys(attributes).length === 0 ? '' : JSON.stringify(attributes)),
    },
  ];
}
