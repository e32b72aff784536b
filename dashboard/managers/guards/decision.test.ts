import { expect, it } from 'vitest';
import { isWorse, type Impact } from './decision.ts';

const own = (weight: number): Impact => ({ target: 'own', severity: weight });
const queue: Impact = { target: 'queue', severity: 1 };

it.each<[string, readonly Impact[], readonly Impact[], boolean]>([
  ['the same impact', [own(2), queue], [own(2), queue], false],
  ['no impact', [own(2)], [], false],
  ['a smaller impact', [own(2)], [own(1)], false],
  ['one target less', [own(2), queue], [own(2)], false],
  ['a greater impact', [own(1)], [own(2)], true],
  ['an additional target', [own(2)], [own(2), queue], true],
  ['a different target', [own(2)], [{ target: 'arm', severity: 1 }], true],
])('isWorse compares the confirmed impact with %s', (_name, agreed, now, worse) => {
  expect(isWorse(agreed, now)).toBe(worse);
});
