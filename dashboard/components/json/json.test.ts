import { describe, expect, it } from 'vitest';
import { componentTexts } from '../texts.ts';
import {
  memberChunkSize,
  toCopyText,
  searchJson,
  visibleLines,
  needsSearch,
  parentIndex,
  formatPath,
  valueAt,
  type JsonState,
} from './json.ts';

const asIs: JsonState = { open: {}, members: {} };
const value = { name: 'Read', result: { values: [1, null, true], note: '' }, 'OD 600': 0.4, none: {} };
const brief = (state: JsonState = asIs, search = ''): string[] =>
  visibleLines(value, state, searchJson(value, search)).map(
    ({ level, name, text, open, isMatch }) =>
      `${level} ${name ?? '·'}=${text}${open === null ? '' : open ? ' -' : ' +'}${isMatch ? ' !' : ''}`,
  );

describe('visibleLines', () => {
  it('opens the first two levels', () => {
    expect(brief()).toEqual([
      '1 ·=4 fields -',
      '2 name=Read',
      '2 result=2 fields -',
      '3 values=3 items +',
      '3 note=',
      '2 OD 600=0.4',
      '2 none=0 fields',
    ]);
  });

  it('respects opened and closed lines', () => {
    expect(brief({ open: { '[]': true, '["result","values"]': true }, members: {} }).slice(3, 7)).toEqual([
      '3 values=3 items -',
      '4 0=1',
      '4 1=null',
      '4 2=true',
    ]);
    expect(brief({ open: { '[]': false }, members: {} })).toEqual(['1 ·=4 fields +']);
  });

  it('leaves longer lists closed except when the list is the whole value', () => {
    const list = (length: number) => Array.from({ length }, (_, index) => index);
    const open = (input: unknown) =>
      visibleLines(input, asIs).filter(({ kind, open: isOpen }) => kind === 'array' && isOpen === true);
    expect(open({ a: list(20) })).toHaveLength(1);
    expect(open({ a: list(21) })).toHaveLength(0);
    expect(open(list(21))).toHaveLength(1);
  });

  it('opens the ancestors of a match', () => {
    expect(brief(asIs, 'NULL').filter((line) => /values|null/.test(line))).toEqual([
      '3 values=3 items -',
      '4 1=null !',
    ]);
    expect(brief(asIs, 'note')).toContain('3 note= !');
    expect(brief(asIs, 'nowhere')).toEqual(brief());
  });

  it('shows long lists in parts of a hundred and the position of a line', () => {
    const manyNumbers = Array.from({ length: 250 }, (_, index) => index);
    const lines = visibleLines(manyNumbers, asIs);
    expect(lines).toHaveLength(1 + memberChunkSize + 1);
    expect(lines.at(-1)).toMatchObject({
      kind: 'more',
      text: 'show 100 more of 150',
      level: 2,
      position: 101,
      siblings: 101,
    });
    const further = visibleLines(manyNumbers, { open: {}, members: { '[]': 200 } });
    expect(further.at(-1)).toMatchObject({ text: 'show the last 50' });
    expect(visibleLines(manyNumbers, { open: {}, members: { '[]': 300 } })).toHaveLength(251);
  });

  it('never hides a match behind “show more”', () => {
    const manyTexts = Array.from({ length: 450 }, (_, index) => `x${index}`);
    const lines = visibleLines(manyTexts, asIs, searchJson(manyTexts, 'x230'));
    expect(lines.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(['x230']);
    expect(lines).toHaveLength(1 + 300 + 1);
  });

  it('truncates long texts until they are opened', () => {
    const text = 'a'.repeat(500);
    expect(visibleLines(text, asIs)).toMatchObject([
      { text: `${'a'.repeat(200)}…`, open: false, hint: 'show all 500 characters' },
    ]);
    expect(visibleLines(text, { open: { '[]': true }, members: {} })).toMatchObject([
      { text, open: true, hint: componentTexts.json.less },
    ]);
  });

  it.each([
    [null, 'null', 'null'],
    [undefined, 'null', 'null'],
    [0, 'number', '0'],
    [false, 'boolean', 'false'],
    ['<b>', 'string', '<b>'],
  ])('shows %j alone', (alone, kind, text) => {
    expect(visibleLines(alone, asIs)).toMatchObject([{ kind, text, open: null, level: 1 }]);
  });
});

describe('JSON paths', () => {
  it.each([
    [[], ''],
    [['a', 0, 'b'], 'a[0].b'],
    [[3], '[3]'],
    [['OD 600', 'x'], '["OD 600"].x'],
    [['say "so"'], '["say \\"so\\""]'],
  ])('%j is written %s', (path, text) => {
    expect(formatPath(path)).toBe(text);
  });

  it('valueAt returns the value at a path', () => {
    expect(valueAt(value, ['result', 'values', 2])).toBe(true);
    expect(valueAt(value, ['gone', 1])).toBeUndefined();
    expect(valueAt({ constructor: 1 }, ['toString'])).toBeUndefined();
  });

  it('toCopyText returns texts unchanged and other values as JSON', () => {
    expect(toCopyText('a')).toBe('a');
    expect(toCopyText({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
  });

  it('parentIndex returns the index of the parent line', () => {
    const lines = visibleLines(value, asIs);
    expect([parentIndex(lines, 4), parentIndex(lines, 1), parentIndex(lines, 0), parentIndex(lines, 99)]).toEqual([
      2,
      0,
      null,
      null,
    ]);
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
});
