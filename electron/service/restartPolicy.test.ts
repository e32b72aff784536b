import { expect, it } from 'vitest';
import { decideRestart } from './restartPolicy.ts';

const now = 1_000_000;

it.each([
  ['the first crash', [now], { kind: 'restart', afterMs: 100 }],
  ['the second', [now - 500, now], { kind: 'restart', afterMs: 400 }],
  ['the third', [now - 900, now - 500, now], { kind: 'restart', afterMs: 1000 }],
  ['the fourth within a minute', [now - 2000, now - 900, now - 500, now], { kind: 'give-up', crashes: 4 }],
  ['the fourth after a minute', [now - 60_001, now - 900, now - 500, now], { kind: 'restart', afterMs: 1000 }],
  ['the first after a quiet hour', [now - 3_600_000, now], { kind: 'restart', afterMs: 100 }],
])('%s', (_name, crashes, decision) => {
  expect(decideRestart(crashes, now)).toEqual(decision);
});
