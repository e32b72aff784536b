import { describe, expect, it } from 'vitest';
import type { Location } from '../../../api/managers/location.ts';
import { explainNoPath } from './noPath.ts';

const place = (name: string, overrides: Partial<Location> = {}): Location => ({
  location_name: name,
  location_id: `id of ${name}`,
  ...overrides,
});

describe('two locations without a transfer route', () => {
  const known = (...nodes: string[]) => ({ representations: Object.fromEntries(nodes.map((node) => [node, {}])) });
  it.each([
    [
      place('a', { ...known('arm'), allow_transfers: false }),
      place('b', known('arm')),
      { kind: 'notAllowed', location: 'a' },
    ],
    [place('a', known('arm')), place('b'), { kind: 'noNode', location: 'b' }],
    [place('a', known('arm')), place('b', known('mover')), { kind: 'noCommonNode', from: ['arm'], to: ['mover'] }],
    [place('a', known('arm', 'x')), place('b', known('arm')), { kind: 'noTransfer', nodes: ['arm'] }],
  ])('is given a reason (case %#)', (from, to, reason) => expect(explainNoPath(from, to)).toEqual(reason));
});
