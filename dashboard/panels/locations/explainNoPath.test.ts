import { describe, expect, it } from 'vitest';
import type { Location } from '#api/managers/location.ts';
import { explainNoPath } from './explainNoPath.ts';

const location = (name: string, overrides: Partial<Location> = {}): Location => ({
  location_name: name,
  location_id: `id of ${name}`,
  ...overrides,
});

describe('explainNoPath', () => {
  const representedBy = (...nodes: string[]) => ({
    representations: Object.fromEntries(nodes.map((node) => [node, {}])),
  });
  it.each([
    [
      location('a', { ...representedBy('arm'), allow_transfers: false }),
      location('b', representedBy('arm')),
      { kind: 'notAllowed', location: 'a' },
    ],
    [location('a', representedBy('arm')), location('b'), { kind: 'noNode', location: 'b' }],
    [
      location('a', representedBy('arm')),
      location('b', representedBy('mover')),
      { kind: 'noCommonNode', from: ['arm'], to: ['mover'] },
    ],
    [
      location('a', representedBy('arm', 'x')),
      location('b', representedBy('arm')),
      { kind: 'noTransfer', nodes: ['arm'] },
    ],
  ])('returns the reason why two locations have no path (case %#)', (from, to, reason) =>
    expect(explainNoPath(from, to)).toEqual(reason),
  );
});
