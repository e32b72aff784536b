import { expect, it } from 'vitest';
import { clock } from '../../../base/time.ts';
import { sampleNow } from '../../../fixtures/lab.ts';
import { maintenanceColumns } from './incidentColumns.ts';

const minute = 60_000;
const at = (minutes: number) => new Date(sampleNow + minutes * minute).toISOString();

it.each([
  ['an ended maintenance with its end', -1, clock(sampleNow - minute), '1 min'],
  ['a current maintenance with its planned end', 28, `until ${clock(sampleNow + 28 * minute)}`, '2 min'],
])('shows %s', (_name, until, end, duration) => {
  const maintenance = { kind: 'lab' as const, id: 'lab' as const, name: 'Lab', from: at(-2), until: at(until) };
  const columns = maintenanceColumns(sampleNow);
  const text = (key: string) => columns.find((column) => column.key === key)?.text?.(maintenance);
  expect([text('until'), text('duration')]).toEqual([end, duration]);
});
