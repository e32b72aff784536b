import { expect, it } from 'vitest';
import { exceedsConfirmed, type Impact } from './decision.ts';

const ownImpact = (severity: number): Impact => ({ target: 'own', severity });
const queue: Impact = { target: 'queue', severity: 1 };

it.each<[string, readonly Impact[], readonly Impact[], boolean]>([
  ['the same impact', [ownImpact(2), queue], [ownImpact(2), queue], false],
  ['no impact', [ownImpact(2)], [], false],
  ['a smaller impact', [ownImpact(2)], [ownImpact(1)], false],
  ['one target fewer', [ownImpact(2), queue], [ownImpact(2)], false],
  ['a greater impact', [ownImpact(1)], [ownImpact(2)], true],
  ['an additional target', [ownImpact(2)], [ownImpact(2), queue], true],
  ['a different target', [ownImpact(2)], [{ target: 'arm', severity: 1 }], true],
])('exceedsConfirmed for %s is $3', (_name, confirmed, current, exceeds) => {
  expect(exceedsConfirmed(confirmed, current)).toBe(exceeds);
});
