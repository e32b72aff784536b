import { describe, expect, it } from 'vitest';
import { formatClock } from '#dashboard/base/time.ts';
import { sampleNow } from '#dashboard/fixtures/sampleLabStatus.ts';
import { incidentColumns, maintenanceColumns } from './incidentColumns.ts';
import { historyTexts } from '../texts.ts';

const minute = 60_000;
const toIso = (minutes: number) => new Date(sampleNow + minutes * minute).toISOString();

it.each([
  ['a past window with its end', -1, formatClock(sampleNow - minute), '1 min'],
  ['a current window with its planned end', 28, `until ${formatClock(sampleNow + 28 * minute)}`, '2 min'],
])('the list of maintenance windows shows %s', (_name, until, end, duration) => {
  const maintenance = { kind: 'lab' as const, id: 'lab' as const, name: 'Lab', from: toIso(-2), until: toIso(until) };
  const columns = maintenanceColumns(sampleNow);
  const text = (key: string) => columns.find((column) => column.key === key)?.text?.(maintenance);
  expect([text('until'), text('duration')]).toEqual([end, duration]);
});

describe('the duration column of incidents', () => {
  const incident = (unwatched?: number) => ({
    kind: 'manager' as const,
    id: 'data' as const,
    name: 'Data Manager',
    state: 'unreachable' as const,
    reason: null,
    from: toIso(-80),
    to: toIso(0),
    seconds: 1200,
    ...(unwatched !== undefined && { unwatched_seconds: unwatched }),
  });
  const column = incidentColumns(sampleNow).find(({ key }) => key === 'duration');

  it.each([
    ['the observed time', 0, '20 min'],
    ['the observed time and the gap', 3600, '20 min + 1 h not watched'],
    ['the duration from an older service, which includes the gap', undefined, '20 min'],
  ])('shows %s', (_name, unwatched, text) => {
    expect(column?.text?.(incident(unwatched))).toBe(text);
  });

  it('exports two columns in seconds', () => {
    expect(column?.csvAs?.map(({ title, value }) => [title, value(incident(3600))])).toEqual([
      [`${historyTexts.columns.duration} (s)`, 1200],
      ['Not watched (s)', 3600],
    ]);
  });
});
