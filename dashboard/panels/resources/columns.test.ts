import { describe, expect, it } from 'vitest';
import type { Resource } from '../../../api/managers/resourceTypes.ts';
import { stockLooks } from '../../../api/states.ts';
import { cellText } from '../../components/table/rows/tableRows.ts';
import { resourceIndex } from '../../managers/resource/resourceIndex.ts';
import { resourceRow } from '../../managers/resource/resourceRow.ts';
import { attributeNames, resourceColumns } from './columns.ts';

const row = (more: Partial<Resource>) =>
  resourceRow({ resource_id: 'R', resource_name: 'r', base_type: 'discrete_consumable', ...more });
const at = (stamp: string) => (stamp === '' ? null : Date.parse(stamp));
const columnsOf = (...rows: ReturnType<typeof row>[]) =>
  new Map(resourceColumns(resourceIndex(rows), attributeNames(rows), at).map((column) => [column.key, column]));
function said(key: string, one: ReturnType<typeof row>): string {
  const column = columnsOf(one).get(key);
  if (column === undefined) throw new Error(`No column ${key}`);
  return cellText(column, one);
}

describe('the list of resources', () => {
  it('is filtered by what people ask for', () => {
    const filters = [...columnsOf().values()].filter(({ filter }) => filter === 'choice').map(({ key }) => key);
    expect(filters).toEqual(['type', 'class', 'stock', 'owner', 'template', 'locked']);
  });

  it.each([
    [{ quantity: 5, capacity: 96, attributes: { low_mark: 10 } }, stockLooks.low.word],
    [{ quantity: 0, capacity: 96 }, stockLooks.empty.word],
    [{ quantity: 0, attributes: { low_mark: 10 } }, stockLooks.out.word],
    [{ quantity: 96, capacity: 96 }, stockLooks.full.word],
  ])('says of %j that it is %s', (more, word) => {
    expect(said('stock', row(more as Partial<Resource>))).toBe(word);
  });

  it('names who holds a lock, and nobody once it has ended', () => {
    const locked = (until: number) =>
      said('locked', row({ locked_by: 'arm', locked_until: new Date(Date.now() + until).toISOString() }));
    expect(locked(60_000)).toBe('arm');
    expect(locked(-60_000)).toBe('');
  });

  it('has a column for every attribute that any of them has', () => {
    const names = Array.from({ length: 60 }, (_name, index) => `a${index}`);
    const columns = columnsOf(row({ attributes: Object.fromEntries(names.map((name) => [name, 1])) }));
    for (const name of names) expect(columns.has(`attribute.${name}`)).toBe(true);
  });
});
