import { expect, it } from 'vitest';
import { passesFilter, type LogFilter } from '../ipc/logs.ts';
import { parseLogLine } from './logSession.ts';

it.each([
  [
    '2026-11-22 14:02:11.123 [warn] (watch) Slow: 2 s {"manager":"data"}',
    { time: '2026-11-22 14:02:11.123', level: 'warn', scope: 'watch', text: 'Slow: 2 s {"manager":"data"}' },
  ],
  [
    '2026-11-22 14:02:11.123 [info] (safety stop) Sent',
    { time: '2026-11-22 14:02:11.123', level: 'info', scope: 'safety stop', text: 'Sent' },
  ],
  [
    '2026-11-22 14:02:11.123 [info] no scope',
    { time: '2026-11-22 14:02:11.123', level: 'info', scope: '', text: 'no scope' },
  ],
  ['2026-11-22 14:02:11.123 [loud] (x) y', { level: null, text: '2026-11-22 14:02:11.123 [loud] (x) y' }],
  ['    at file.js:12', { time: '', level: null, scope: '', text: 'at file.js:12' }],
  ['\u0000\u0001\u001b[31mjunk\u202e', { time: '', level: null, text: 'junk' }],
])('parseLogLine reads %j', (line, entry) => {
  expect(parseLogLine(line, 'app')).toMatchObject({ source: 'app', ...entry });
});

it('parseLogLine truncates a long line', () => {
  const { text } = parseLogLine('x'.repeat(100_000), 'service');
  expect([text.length, text.at(-1)]).toEqual([16_200, '…']);
});

const entry = { source: 'service', time: '', level: 'warn', scope: 'watch', text: 'Data Manager is Slow' } as const;
it.each<[string, Partial<LogFilter>, boolean]>([
  ['no restriction', {}, true],
  ['its own level', { level: 'warn' }, true],
  ['a higher level', { level: 'error' }, false],
  ['its own source', { source: 'service' }, true],
  ['the other source', { source: 'app' }, false],
  ['words in any order and case', { text: 'slow DATA' }, true],
  ['its own scope', { text: 'watch' }, true],
  ['a missing word', { text: 'data down' }, false],
])('passesFilter applies a filter with %s', (_name, filter, passes) => {
  expect(passesFilter(entry, { level: 'debug', source: null, text: '', ...filter })).toBe(passes);
});

it('a line without a level is filtered as info', () => {
  const withoutLevel = { ...entry, level: null };
  const at = (level: LogFilter['level']) => passesFilter(withoutLevel, { level, source: null, text: '' });
  expect([at('debug'), at('info'), at('warn')]).toEqual([true, true, false]);
});
