import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLog, type Log } from './log.ts';
import { throttleLog } from './throttle.ts';

let lines: string[] = [];
const log: Log = {
  ...silentLog,
  debug: (line) => void lines.push(`debug ${line}`),
  warn: (line) => void lines.push(`warn ${line}`),
  error: (line) => void lines.push(`error ${line}`),
  scope: () => log,
};
const limits = { sameLine: 2, allLines: 5, windowMs: 60_000 };

beforeEach(() => {
  lines = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

it('a throttled log writes a repeated line a few times per window, and at its end the number of omitted lines', () => {
  const limited = throttleLog(log, limits);
  for (let count = 0; count < 1000; count += 1) limited.error('GET *: failed');
  expect(lines).toEqual(['error GET *: failed', 'error GET *: failed']);
  vi.advanceTimersByTime(60_000);
  expect(lines.at(-1)).toBe('warn 998 more lines were left out in the last 60 s, the last: GET *: failed');
  limited.error('GET *: failed');
  expect(lines).toHaveLength(4);
});

it('a throttled log limits different lines together, in any scope, but no debug lines', () => {
  const limited = throttleLog(log, limits);
  for (let count = 0; count < 100; count += 1) limited.scope('http').error(`GET /${count}: failed`);
  expect(lines).toHaveLength(limits.allLines);
  for (let count = 0; count < 100; count += 1) limited.debug('GET /');
  expect(lines).toHaveLength(limits.allLines + 100);
});

it('a throttled log writes the number of omitted lines when its window is ended early, and keeps no timer', () => {
  const limited = throttleLog(log, limits);
  for (let count = 0; count < 3; count += 1) limited.error('GET *: failed');
  limited.endWindow();
  expect(lines.at(-1)).toBe('warn 1 more line was left out in the last 60 s, the last: GET *: failed');
  expect(vi.getTimerCount()).toBe(0);
  limited.error('GET *: failed');
  expect(lines).toHaveLength(4);
});
