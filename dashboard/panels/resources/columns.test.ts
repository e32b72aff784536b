import { describe, expect, it } from 'vitest';
import type { Resource } from '#api/managers/resourceTypes.ts';
import { stockAppearances } from '#api/states.ts';
import { readCsv } from '../../components/csv/readCsv.ts';
import { formatCsv } from '../../components/table/rows/csv.ts';
import { getCellText } from '../../components/table/rows/tableRows.ts';
import { createResourceIndex } from '../../managers/resource/resourceIndex.ts';
import { toResourceRow } from '../../managers/resource/resourceRow.ts';
import { attributeNames, formatAttribute, resourceColumns } from './columns.ts';

const row = (overrides: Partial<Resource>) =>
  toResourceRow({ resource_id: 'R', resource_name: 'r', base_type: 'discrete_consumable', ...overrides });
const parseStamp = (stamp: string) => (stamp === '' ? null : Date.parse(stamp));
const createColumns = (...rows: ReturnType<typeof row>[]) =>
  new Map(
    resourceColumns(createResourceIndex(rows), attributeNames(rows), parseStamp).map((column) => [column.key, column]),
  );
function readCellText(key: string, resourceRow: ReturnType<typeof row>): string {
  const column = createColumns(resourceRow).get(key);
  if (column === undefined) throw new Error(`No column ${key}`);
  return getCellText(column, resourceRow);
}

it('an attribute that is null, the text “null”, empty or missing looks different', () => {
  const values = [null, 'null', '', undefined];
  expect(values.map((value) => formatAttribute(value))).toEqual(['null', '"null"', '""', '']);
});

describe('the list of resources', () => {
  it('offers filters for type, class, stock, owner, template and lock', () => {
    const filters = [...createColumns().values()].filter(({ filter }) => filter === 'choice').map(({ key }) => key);
    expect(filters).toEqual(['type', 'class', 'stock', 'owner', 'template', 'locked']);
  });

  it.each([
    [{ quantity: 5, capacity: 96, attributes: { low_mark: 10 } }, stockAppearances.low.label],
    [{ quantity: 0, capacity: 96 }, stockAppearances.empty.label],
    [{ quantity: 0, attributes: { low_mark: 10 } }, stockAppearances.out.label],
    [{ quantity: 96, capacity: 96 }, stockAppearances.full.label],
  ])('shows the stock of %j as %s', (overrides, label) => {
    expect(readCellText('stock', row(overrides as Partial<Resource>))).toBe(label);
  });

  it('names the owner of a lock until the lock ends', () => {
    const locked = (until: number) =>
      readCellText('locked', row({ locked_by: 'arm', locked_until: new Date(Date.now() + until).toISOString() }));
    expect(locked(60_000)).toBe('arm');
    expect(locked(-60_000)).toBe('');
  });

  it('names the owner of a resource', () => {
    const ownedRow = row({
      owner: { node_id: '01M7YEZGAZMTTE3RWYNVGA29Z5', manager_id: '01M7YE54NHDYBBYGBYEB9NXS8H' },
    });
    const columnsWithNames = resourceColumns(createResourceIndex([ownedRow]), [], parseStamp, (field) =>
      field === 'node_id' ? 'reader' : '',
    );
    const column = columnsWithNames.find(({ key }) => key === 'owner');
    expect(column && getCellText(column, ownedRow)).toBe('node reader, manager …9NXS8H');
  });

  it('exports complete times with their zone and the number of children', () => {
    const tube = { resource_id: 'T', resource_name: 'tube', base_type: 'asset' as const };
    const line = { resource_id: 'L', resource_name: 'line', base_type: 'row' as const, children: [tube, null, tube] };
    const rows = [
      row({ updated_at: '2026-11-22T14:02:05.250Z', created_at: '2025-01-02T03:04:05Z' }),
      row({ base_type: 'stack', children: [tube, tube] }),
      row({ base_type: 'grid', quantity: 0, children: [line, { ...line, resource_id: 'M' }] }),
    ];
    const result = readCsv(new TextEncoder().encode(formatCsv([...createColumns(...rows).values()], rows)));
    if (!result.ok) throw new Error(result.problem);
    const { headings, records } = result.file;
    const cells = (title: string) => records.map((record) => record.cells[headings.indexOf(title)]);
    expect(cells('Updated')[0]).toBe('2026-11-22T14:02:05.250Z');
    expect(cells('Created')[0]).toBe('2025-01-02T03:04:05.000Z');
    expect(cells('Children')).toEqual(['', '2', '4']);
  });

  it('has a column for every attribute of any resource', () => {
    const names = Array.from({ length: 60 }, (_name, index) => `a${index}`);
    const columns = createColumns(row({ attributes: Object.fromEntries(names.map((name) => [name, 1])) }));
    for (const name of names) expect(columns.has(`attribute.${name}`)).toBe(true);
  });
});
