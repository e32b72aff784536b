import { describe, expect, it } from 'vitest';
import { sampleResource } from '../../fixtures/resourceResponses.ts';
import { toResourceRows, type ResourceRow } from './resourceRow.ts';
import { withConfirmedRows, type ConfirmedRows } from './confirmedResources.ts';

const plate = (id: string, parent_id: string | null, key: string | null = null) =>
  sampleResource(id, { resource_name: id, parent_id, key });
const stack = (ids: readonly string[]) =>
  sampleResource('S', {
    base_type: 'stack',
    quantity: ids.length,
    children: ids.map((id, index) => plate(id, 'S', String(index))),
  });
const box = (ids: readonly string[]) =>
  sampleResource('B', {
    base_type: 'container',
    quantity: ids.length,
    children: Object.fromEntries(ids.map((id) => [id, plate(id, 'B', id)])),
  });
const read = toResourceRows([stack(['P1', 'P2']), box([]), sampleResource('L')]);
const confirm = (...rows: readonly ResourceRow[]): ConfirmedRows => new Map(rows.map((row) => [row.id, row]));

/** Container and children of each resource. */
function places(confirmed: ConfirmedRows): Record<string, string> {
  return Object.fromEntries(
    withConfirmedRows(read, confirmed).map(({ id, parentId, children, quantity }) => [
      id,
      `${parentId ?? '-'} [${children.join(' ')}]${children.length > 0 ? ` ${quantity ?? ''}` : ''}`,
    ]),
  );
}
const before = { S: '- [P1 P2] 2', P1: 'S []', P2: 'S []', B: '- []', L: '- []' };

describe('withConfirmedRows', () => {
  it('returns the same list without changes', () => {
    expect(withConfirmedRows(read, new Map())).toBe(read);
    expect(places(new Map())).toEqual(before);
  });

  it('replaces a changed resource and appends a new one', () => {
    const rows = withConfirmedRows(
      read,
      confirm(...toResourceRows([plate('N', null), sampleResource('L', { quantity: 7 })])),
    );
    expect(rows.map(({ id }) => id)).toEqual([...read.map(({ id }) => id), 'N']);
    expect(rows.find(({ id }) => id === 'L')?.quantity).toBe(7);
  });

  it.each<[string, ConfirmedRows, object]>([
    ['a pop', confirm(...toResourceRows([plate('P2', null), stack(['P1'])])), { S: '- [P1] 1', P2: '- []' }],
    [
      'a pop whose response is only the container',
      confirm(...toResourceRows([stack(['P1'])])),
      { S: '- [P1] 1', P2: '- []' },
    ],
    ['a move', confirm(...toResourceRows([box(['P2'])])), { S: '- [P1] 1', B: '- [P2] 1', P2: 'B []' }],
    ['a new child', confirm(...toResourceRows([plate('N', 'S', '2')])), { S: '- [P1 P2 N] 3', N: 'S []' }],
  ])('shows the places after %s', (_what, confirmed, expected) => {
    expect(places(confirmed)).toEqual({ ...before, ...expected });
  });

  it('keeps a child in a container that was read before it was added, and takes it out of one that was read later', () => {
    const child = toResourceRows([plate('N', 'B', 'N')]);
    const container = toResourceRows([box([])]);
    expect(places(confirm(...container, ...child))).toEqual({ ...before, B: '- [N] 1', N: 'B []' });
    expect(places(confirm(...child, ...container))).toEqual({ ...before, N: '- []' });
  });

  it('shows a removal with its contents', () => {
    expect(places(new Map([['P1', null]]))).toEqual({ S: '- [P2] 1', P2: 'S []', B: '- []', L: '- []' });
    expect(places(new Map([['S', null]]))).toEqual({ B: '- []', L: '- []' });
  });

  it('leaves an empty place in a row', () => {
    const row = sampleResource('R', {
      base_type: 'row',
      children: [plate('W0', 'R', '0'), null, plate('W2', 'R', '2')],
    });
    const rows = toResourceRows([row]);
    const children = (confirmed: ConfirmedRows) =>
      withConfirmedRows(rows, confirmed).find(({ id }) => id === 'R')?.children;
    expect(children(new Map([['W0', null]]))).toEqual([null, null, 'W2']);
    expect(children(confirm(...toResourceRows([plate('W1', 'R', '1')])))).toEqual(['W0', 'W1', 'W2']);
  });
});
