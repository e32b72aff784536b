import { expect, it } from 'vitest';
import { describeExit } from './describeExit.ts';

/** On Windows these signals have other numbers, or don't exist. */
const posixSignals: readonly [number, string][] = [
  [6, 'crashed (SIGABRT)'],
  [133, 'crashed (SIGTRAP)'],
];

it.each<[number, string]>([
  [0, 'stopped with exit code 0'],
  [1, 'stopped with exit code 1'],
  [2, 'stopped with exit code 2'],
  [9, 'was terminated externally, or by the system for lack of memory (SIGKILL)'],
  [15, 'was terminated externally (SIGTERM)'],
  [137, 'was terminated externally, or by the system for lack of memory (SIGKILL)'],
  [11, 'crashed (SIGSEGV)'],
  [77, 'stopped with exit code 77'],
  ...(process.platform === 'win32' ? [] : posixSignals),
])('exit code %i is described as “%s”', (code, expected) => {
  expect(describeExit(code)).toBe(expected);
});
