import { expect, it } from 'vitest';
import { isWorse, type Hit } from './decision.ts';

const own = (weight: number): Hit => ({ whom: 'own', weight });
const queue: Hit = { whom: 'queue', weight: 1 };

it.each<[string, readonly Hit[], readonly Hit[], boolean]>([
  ['the same', [own(2), queue], [own(2), queue], false],
  ['nothing any more', [own(2)], [], false],
  ['less of the same', [own(2)], [own(1)], false],
  ['somebody is spared', [own(2), queue], [own(2)], false],
  ['more of the same', [own(1)], [own(2)], true],
  ['somebody else as well', [own(2)], [own(2), queue], true],
  ['somebody else instead', [own(2)], [{ whom: 'arm', weight: 1 }], true],
])('%s', (_name, agreed, now, worse) => {
  expect(isWorse(agreed, now)).toBe(worse);
});
