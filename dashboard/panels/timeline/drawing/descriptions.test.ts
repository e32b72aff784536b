import { expect, it } from 'vitest';
import { managerAppearances } from '#api/states.ts';
import { describePick } from './descriptions.ts';

const hour = 3_600_000;
const outage = {
  name: 'Data Manager',
  node: null,
  isMaintenance: false,
  appearance: managerAppearances.unreachable,
  start: 0,
  end: 2 * hour,
  reason: 'refused',
};

it.each([
  ['has no gap', 0, []],
  ['has a gap', hour, ['1 h of this not watched']],
])('the description of an outage that %s gives the reason after the times', (_name, unwatchedMs, gap) => {
  const text = describePick({ kind: 'outage', outage: { ...outage, unwatchedMs } }, null, String, 3 * hour);
  expect(text?.title).toBe('Data Manager');
  expect(text?.more.slice(1)).toEqual([...gap, 'refused']);
});
