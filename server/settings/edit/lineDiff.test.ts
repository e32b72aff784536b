import { array, assert, constantFrom, property } from 'fast-check';
import { expect, it } from 'vitest';
import { lineDiff } from './settingsEditSession.ts';
import type { DiffLine } from './messages.ts';

const marks = { same: ' ', added: '+', removed: '-', gap: '…' } as const;
const formatDiff = (lines: readonly DiffLine[]) => lines.map(({ kind, text }) => marks[kind] + text).join('\n');

it.each([
  ['no change', 'a\n', 'a\n', '…'],
  ['a changed line', 'a\nb\nc\n', 'a\nx\nc\n', ' a\n-b\n+x\n c'],
  ['a new file', '', 'a\nb\n', '+a\n+b'],
  ['a line at the end', 'a', 'a\nb\n', ' a\n+b'],
  ['a removed line', 'a\nb\n', 'b\n', '-a\n b'],
  ['Windows line ends', 'a\r\nb\r\n', 'a\r\nc\r\n', ' a\n-b\n+c'],
  [
    'omitted distant lines',
    '1\n2\n3\n4\n5\nx\n7\n8\n9\n10\n11\n',
    '1\n2\n3\n4\n5\ny\n7\n8\n9\n10\n11\n',
    '…\n 3\n 4\n 5\n-x\n+y\n 7\n 8\n 9\n…',
  ],
])('lineDiff shows %s', (_name, before, after, diff) => {
  expect(formatDiff(lineDiff(before, after))).toBe(diff);
});

it('lineDiff contains all lines of both texts in their order unless it omits some', () => {
  const text = array(constantFrom('a', 'b', 'c'), { maxLength: 7 });
  assert(
    property(text, text, (before, after) => {
      const lines = lineDiff(before.map((line) => `${line}\n`).join(''), after.map((line) => `${line}\n`).join(''));
      const side = (without: DiffLine['kind']) =>
        lines.filter(({ kind }) => kind !== without && kind !== 'gap').map((line) => line.text);
      if (lines.some(({ kind }) => kind === 'gap')) return;
      expect(side('added')).toEqual(before);
      expect(side('removed')).toEqual(after);
    }),
  );
});
