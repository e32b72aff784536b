import { describe, expect, it } from 'vitest';
import { untilNextCheck } from './pollingSchedule.ts';
import { sampleLab } from '../../../fixtures/lab.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 15, 12, 0, 0) + seconds * 1000).toISOString();

/** A lab at second 10 whose managers were checked at these seconds. */
function checkedAt(...seconds: (number | null)[]) {
  const lab = sampleLab('healthy');
  const managers = seconds.map((second, index) => ({
    ...lab.managers[index]!,
    last_checked: second === null ? null : at(second),
    changes: [],
    minutes: [],
  }));
  return { now: at(10), interval_seconds: 5, managers };
}

describe('untilNextCheck', () => {
  it.each([
    ['just after the next one is due', checkedAt(9, 8, 7), 2150],
    ['not at once again', checkedAt(9, 5.1), 500],
    ['whatever is late', checkedAt(1, 7), 2150],
    ['when nothing is known', checkedAt(null, 1), Infinity],
    ['without managers', checkedAt(), Infinity],
  ])('%s', (_name, lab, ms) => {
    expect(untilNextCheck(lab)).toBe(ms);
  });
});
