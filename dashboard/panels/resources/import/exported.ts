/** What the list saves of a resource, whichever columns are shown: all that an import needs to make it again. Pure. */
import type { Column } from '../../../components/table/rows/tableRows.ts';
import { isConsumable } from '../../../managers/resource/amount.ts';
import { holdsInPlaces, isContainer, type ResourceRow } from '../../../managers/resource/resourceRow.ts';
import type { ResourceIndex } from '../../../managers/resource/resourceIndex.ts';
import { resourceTexts } from '../../../managers/resource/texts.ts';
import { pathText, whereIs } from './findContainer.ts';

/** Headings of the list's CSV, which an import recognises. */
const titles = {
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

/** How many things are in a container. Of a plate the filled wells: its direct children are its rows. */
const childCount = ({ places, children }: ResourceRow): number =>
  places?.filled ?? children.filter((child) => child !== null).length;

export function exportedColumns(index: ResourceIndex): NonNullable<Column<ResourceRow>['csvAs']> {
  const parent = (row: ResourceRow): ResourceRow | null => whereIs(row, index).parent;
  const size = (row: ResourceRow, value: number | null): number | null => (holdsInPlaces(row) ? value : null);
  return [
    { title: titles.name, value: ({ name }) => name },
    { title: titles.id, value: ({ id }) => id },
    { title: titles.type, value: ({ type }) => resourceTexts.type(type) },
    { title: titles.cls, value: ({ cls }) => cls },
    { title: titles.description, value: ({ description }) => description },
    { title: titles.quantity, value: (row) => (isConsumable(row) ? row.quantity : null) },
    {
      title: titles.capacity,
      value: (row) => ((isConsumable(row) || isContainer(row)) && row.type !== 'slot' ? row.capacity : null),
    },
    { title: titles.children, value: (row) => (isContainer(row) ? childCount(row) : null) },
    {
      title: titles.parent,
      value: (row) => {
        const within = parent(row);
        return within === null ? '' : pathText(within, index);
      },
    },
    { title: titles.parentId, value: (row) => parent(row)?.id ?? '' },
    { title: titles.position, value: (row) => whereIs(row, index).position },
    { title: titles.rows, value: (row) => size(row, row.rows) },
    { title: titles.columns, value: (row) => size(row, row.columns) },
    { title: titles.layers, value: (row) => size(row, row.layers) },
    { title: titles.template, value: ({ template }) => template },
    {
      title: titles.attributes,
      value: ({ attributes }) => (Object.keys(attributes).length === 0 ? '' : JSON.stringify(attributes)),
    },
  ];
}
