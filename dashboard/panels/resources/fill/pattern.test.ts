import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { letters, mostNames, numberOfLetters, readPattern } from './pattern.ts';
import { fillTexts } from './texts.ts';

const texts = fillTexts.pattern;
function names(pattern: string): readonly string[] {
  const read = readPattern(pattern);
  if (!read.ok) throw new Error(read.problem);
  return read.names;
}

describe('names by pattern', () => {
  it.each([
    ['rack', ['rack']],
    ['s_{1..3}', ['s_1', 's_2', 's_3']],
    ['s_{008..011}', ['s_008', 's_009', 's_010', 's_011']],
    ['s_{8..011}', ['s_008', 's_009', 's_010', 's_011']],
    ['{0..2}', ['0', '1', '2']],
    ['{3..1}', ['3', '2', '1']],
    ['{2..10..4}', ['2', '6', '10']],
    ['{A..C}', ['A', 'B', 'C']],
    ['{y..ab}', ['y', 'z', 'aa', 'ab']],
    ['{A..B}{01..02}', ['A01', 'A02', 'B01', 'B02']],
    ['{left, right}_tip', ['left_tip', 'right_tip']],
    ['{{x}}_{1..2}', ['{x}_1', '{x}_2']],
  ])('expand %s', (pattern, expected) => {
    expect(names(pattern)).toEqual(expected);
  });

  it.each([
    ['', texts.empty],
    ['  ', texts.empty],
    ['a{1..3', texts.open(2)],
    ['a}', texts.closed(2)],
    ['{}', texts.braces('{}')],
    ['{one}', texts.braces('{one}')],
    ['{a,,b}', texts.braces('{a,,b}')],
    ['{1..C}', texts.ends('{1..C}')],
    ['{A..c}', texts.ends('{A..c}')],
    ['{-3..2}', texts.ends('{-3..2}')],
    ['{1..3..0}', texts.step('{1..3..0}')],
    ['{1..99999}', texts.many(99_999, mostNames)],
    ['{1..500}{1..500}', texts.many(250_000, mostNames)],
    ['{a,a}', texts.twice('a')],
  ])('report the problem of “%s”', (pattern, problem) => {
    expect(readPattern(pattern)).toEqual({ ok: false, problem });
  });

  it('are as many as the product of the ranges, in order and unique', () => {
    const range = fc.record({
      from: fc.nat(60),
      count: fc.integer({ min: 1, max: 12 }),
      width: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(range, range, (one, two) => {
        const text = (number: number, width: number) => String(number).padStart(width, '0');
        const braces = ({ from, count, width }: typeof one) =>
          `{${text(from, width)}..${text(from + count - 1, width)}}`;
        const made = names(`a${braces(one)}_${braces(two)}`);
        expect(made).toHaveLength(one.count * two.count);
        expect(new Set(made).size).toBe(made.length);
        const figures = made.map((name) => name.slice(1).split('_').map(Number) as [number, number]);
        expect(figures).toEqual(figures.toSorted(([a, b], [c, d]) => a - c || b - d));
      }),
    );
  });

  it('never fail without a reason', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '.', ',', '1', '0', 'A', 'b', '-', ' ') }), (pattern) => {
        const read = readPattern(pattern);
        if (read.ok) expect(read.names.length).toBeGreaterThan(0);
        else expect(read.problem).not.toBe('');
      }),
    );
  });

  it('count letters like plates', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 700 }), (value) => numberOfLetters(letters(value)) === value));
  });
});
