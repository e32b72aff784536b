import { expect, it } from 'vitest';
import { decideRestart } from './restartPolicy.ts';

it.each([
  ['the first crash', 0, 500, { crashes: 1, afterMs: 100, isCrashingRepeatedly: false }],
  ['the second in a row', 1, 500, { crashes: 2, afterMs: 400, isCrashingRepeatedly: false }],
  ['the third in a row', 2, 500, { crashes: 3, afterMs: 1000, isCrashingRepeatedly: false }],
  ['the fourth in a row', 3, 500, { crashes: 4, afterMs: 60_000, isCrashingRepeatedly: true }],
  ['a crash after a retry a minute later', 4, 59_999, { crashes: 5, afterMs: 60_000, isCrashingRepeatedly: true }],
  ['the first crash after a steady minute', 7, 60_000, { crashes: 1, afterMs: 100, isCrashingRepeatedly: false }],
])('decideRestart handles %s', (_name, previousCrashes, uptimeMs, decision) => {
  expect(decideRestart(previousCrashes, uptimeMs)).toEqual(decision);
});
