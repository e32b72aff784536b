import { expect, it } from 'vitest';
import { numberedAddresses } from './deliveryTexts.ts';

it.each([
  [[], []],
  [['a'], ['a']],
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [
    ['a', 'b', 'a'],
    ['1: a', 'b', '3: a'],
  ],
])('numberedAddresses turns %j into %j', (addresses, shown) => expect(numberedAddresses(addresses)).toEqual(shown));
