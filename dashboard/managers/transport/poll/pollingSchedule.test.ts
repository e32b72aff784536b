import { describe, expect, it } from 'vitest';
import { untilNextCheck } from './pollingSchedule.ts';
import { sampleLabStatus } from '#dashboard/fixtures/sampleLabStatus.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 15, 12, 0, 0) + seconds * 1000).toISOString();

/** A lab at second 10 with managers checked at these seconds. */
function checkedAt(...seconds: (number | null)[]) {
  const lab = sampleLabStatus('healthy');
  const managers = seconds.map((second, index) => ({
    ...lab.managers[index]!,
    last_checked: second === null ? null : at(second),
    changes: [],
  }));
  return { now: at(10), interval_seconds: 5, managers };
}

describe('untilNextCheck', () => {
  it.each([
    ['until just after the next check is due', checkedAt(9, 8, 7), 2150],
    ['until the last of checks that follow shortly after each other', checkedAt(7, 7.8, 9), 2950],
    ['a minimum time before the next request', checkedAt(9, 5.1), 500],
    ['until the next check, even when one is late', checkedAt(1, 7), 2150],
    ['for ever without a known check', checkedAt(null, 1), Infinity],
    ['for ever without managers', checkedAt(), Infinity],
  ])('waits %s', (_name, lab, ms) => {
    expect(untilNextCheck(lab)).toBe(ms);
  });
});
