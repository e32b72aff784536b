import { describe, expect, it } from 'vitest';
import {
  memberChunkSize,
  toCopyText,
  searchJson,
  getVisibleLines,
  needsSearch,
  findParentIndex,
  formatPath,
  getValueAt,
  type JsonState,
} from './json.ts';

const defaultState: JsonState = { open: {}, members: {} };
const value = { name: 'Read', result: { values: [1, null, true], note: '' }, 'OD 600': 0.4, none: {} };
const summarizeLines = (state: JsonState = defaultState, search = ''): string[] =>
  getVisibleLines(value, state, searchJson(value, search)).map(
    ({ level, name, text, open, isMatch }) =>
      `${level} ${name ?? '·'}=${text}${open === null ? '' : open ? ' -' : ' +'}${isMatch ? ' !' : ''}`,
  );

describe('getVisibleLines', () => {
  it('expands the first two levels', () => {
    expect(summarizeLines()).toEqual([
      '1 ·=4 fields -',
      '2 name=Read',
      '2 result=2 fields -',
      '3 values=3 items +',
      '3 note=',
      '2 OD 600=0.4',
      '2 none=0 fields',
    ]);
  });

  it('respects expanded and collapsed lines', () => {
    expect(summarizeLines({ open: { '[]': true, '["result","values"]': true }, members: {} }).slice(3, 7)).toEqual([
      '3 values=3 items -',
      '4 0=1',
      '4 1=null',
      '4 2=true',
    ]);
    expect(summarizeLines({ open: { '[]': false }, members: {} })).toEqual(['1 ·=4 fields +']);
  });

  it('keeps longer lists collapsed, except when the list is the whole value', () => {
    const list = (length: number) => Array.from({ length }, (_, index) => index);
    const open = (input: unknown) =>
      getVisibleLines(input, defaultState).filter(({ kind, open: isOpen }) => kind === 'array' && isOpen === true);
    expect(open({ a: list(20) })).toHaveLength(1);
    expect(open({ a: list(21) })).toHaveLength(0);
    expect(open(list(21))).toHaveLength(1);
  });

  it('expands the ancestors of a match', () => {
    expect(summarizeLines(defaultState, 'NULL').filter((line) => /values|null/.test(line))).toEqual([
      '3 values=3 items -',
      '4 1=null !',
    ]);
    expect(summarizeLines(defaultState, 'note')).toContain('3 note= !');
    expect(summarizeLines(defaultState, 'nowhere')).toEqual(summarizeLines());
  });

  it('shows long lists in chunks of a hundred and numbers the lines', () => {
    const manyNumbers = Array.from({ length: 250 }, (_, index) => index);
    const lines = getVisibleLines(manyNumbers, defaultState);
    expect(lines).toHaveLength(1 + memberChunkSize + 1);
    expect(lines.at(-1)).toMatchObject({
      kind: 'more',
      text: 'show 100 more of 150',
      level: 2,
      position: 101,
      siblings: 101,
    });
    const further = getVisibleLines(manyNumbers, { open: {}, members: { '[]': 200 } });
    expect(further.at(-1)).toMatchObject({ text: 'show the last 50' });
    expect(getVisibleLines(manyNumbers, { open: {}, members: { '[]': 300 } })).toHaveLength(251);
  });

  it('never hides a match behind “show more”', () => {
    const manyTexts = Array.from({ length: 450 }, (_, index) => `x${index}`);
    const lines = getVisibleLines(manyTexts, defaultState, searchJson(manyTexts, 'x230'));
    expect(lines.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(['x230']);
    expect(lines).toHaveLength(1 + 300 + 1);
  });

  it('truncates long texts until they are expanded', () => {
    const text = 'a'.repeat(500);
    expect(getVisibleLines(text, defaultState)).toMatchObject([
      { text: `${'a'.repeat(200)}…`, open: false, hint: 'show all 500 characters' },
    ]);
    expect(getVisibleLines(text, { open: { '[]': true }, members: {} })).toMatchObject([
      { text, open: true, hint: 'show less' },
    ]);
  });

  it.each([
    [null, 'null', 'null'],
    [undefined, 'null', 'null'],
    [0, 'number', '0'],
    [false, 'boolean', 'false'],
    ['<b>', 'string', '<b>'],
  ])('shows %j as a single line', (alone, kind, text) => {
    expect(getVisibleLines(alone, defaultState)).toMatchObject([{ kind, text, open: null, level: 1 }]);
  });
});

it.each([
  [[], ''],
  [['a', 0, 'b'], 'a[0].b'],
  [[3], '[3]'],
  [['OD 600', 'x'], '["OD 600"].x'],
  [['say "so"'], '["say \\"so\\""]'],
])('formatPath of %j is %s', (path, text) => {
  expect(formatPath(path)).toBe(text);
});

it('getValueAt returns the value at a path', () => {
  expect(getValueAt(value, ['result', 'values', 2])).toBe(true);
  expect(getValueAt(value, ['missing', 1])).toBeUndefined();
  expect(getValueAt({ constructor: 1 }, ['toString'])).toBeUndefined();
});

it('toCopyText returns texts unchanged and other values as JSON', () => {
  expect(toCopyText('a')).toBe('a');
  expect(toCopyText({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
});

it('findParentIndex returns the index of the parent line', () => {
  const lines = getVisibleLines(value, defaultState);
  expect([
    findParentIndex(lines, 4),
    findParentIndex(lines, 1),
    findParentIndex(lines, 0),
    findParentIndex(lines, 99),
  ]).toEqual([2, 0, null, null]);
});

it.each([
  [{ deck_position: 1, deck_type: 'standard' }, false],
  [{ gripper: 'standard', position: [10, 15, 5] }, false],
  [Array.from({ length: 13 }, (_none, index) => index), true],
  [{ plates: { a: [1, 2, 3, 4, 5, 6], b: [1, 2, 3, 4, 5, 6] } }, true],
  ['x'.repeat(500), true],
  [null, false],
])('needsSearch of %j is %s, because only large values need it', (input, expected) => {
  expect(needsSearch(input)).toBe(expected);
});
