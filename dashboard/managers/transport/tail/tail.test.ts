import { array, assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyTail, extendTail, type Tail, type TailRules } from './tail.ts';

const rules: TailRules<number> = { getId: String, newestFirst: (a, b) => b - a, limit: 3, maxEntries: 6 };
const tailAfter = (...responses: number[][]) =>
  responses.reduce<Tail<number>>((tail, response) => extendTail(tail, response, rules), emptyTail);

describe('the tail of a long list', () => {
  it.each([
    ['starts with the first read', [[3, 2, 1]], { items: [3, 2, 1], hasGap: false, isTruncated: false }],
    [
      'keeps items that a later read no longer contains',
      [
        [3, 2, 1],
        [5, 4, 3],
      ],
      { items: [5, 4, 3, 2, 1], hasGap: false, isTruncated: false },
    ],
    [
      'accepts items in any order',
      [
        [1, 3, 2],
        [3, 4],
      ],
      { items: [4, 3, 2, 1], hasGap: false, isTruncated: false },
    ],
    [
      'reports a possible gap',
      [
        [3, 2, 1],
        [9, 8, 7],
      ],
      { items: [9, 8, 7, 3, 2, 1], hasGap: true, isTruncated: false },
    ],
    ['reports no gap after a short read', [[1], [3, 2]], { items: [3, 2, 1], hasGap: false, isTruncated: false }],
    [
      'keeps at most its limit and reports the cut',
      [
        [3, 2, 1],
        [5, 4, 3],
        [7, 6, 5],
      ],
      { items: [7, 6, 5, 4, 3, 2], hasGap: false, isTruncated: true },
    ],
  ])('%s', (_name, responses, tail) => {
    expect(tailAfter(...responses)).toEqual(tail);
  });

  it('stays the same object without new items', () => {
    const tail = tailAfter([3, 2, 1]);
    expect(extendTail(tail, [3, 2], rules)).toBe(tail);
    expect(extendTail(tail, [], rules)).toBe(tail);
  });

  it('contains, without gaps, the newest of all items ever written', () => {
    assert(
      property(array(integer({ min: 0, max: 3 }), { maxLength: 20 }), (steps) => {
        let lastWritten = 0;
        let tail: Tail<number> = emptyTail;
        for (const step of steps) {
          lastWritten += step;
          const response = Array.from({ length: Math.min(3, lastWritten) }, (_none, index) => lastWritten - index);
          tail = extendTail(tail, response, rules);
        }
        const all = Array.from({ length: lastWritten }, (_none, index) => lastWritten - index).slice(0, 6);
        // A response of three entries, all new, may have omitted a fourth.
        if (!steps.slice(1).includes(3)) expect(tail.hasGap).toBe(false);
        if (!tail.hasGap) expect(tail.items).toEqual(all);
      }),
    );
  });
});
