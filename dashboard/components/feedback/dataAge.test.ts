import { describe, expect, it } from 'vitest';
import { type OngoingFailure, formatRetryStatus } from './dataAge.ts';

const now = new Date(2026, 10, 21, 14, 5).getTime();

describe('formatRetryStatus', () => {
  it.each<[string, OngoingFailure, string]>([
    ['a failure without details', {}, ''],
    ['the time of the failure', { since: now - 180_000, nextRetryAt: null }, 'since 14:02, 3 min'],
    [
      'the time of the next try',
      { since: now - 180_000, nextRetryAt: now + 8_000 },
      'since 14:02, 3 min, next try in 8 s',
    ],
    ['a try in progress', { nextRetryAt: now + 400 }, 'trying now'],
    ['a manual try in progress', { nextRetryAt: now + 8_000, trying: true }, 'trying now'],
  ])('describes %s', (_name, failing, expected) => {
    expect(formatRetryStatus(failing, now)).toBe(expected);
  });
});
