import { describe, expect, it } from 'vitest';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import {
  deriveTransferEdges,
  explainNoPath,
  findMissingPositions,
  findReachable,
  toTransferEdges,
} from './transfers.ts';

const location = (name: string, nodes: readonly string[], allow_transfers = true) =>
  sampleLocation(name, {
    location_id: name,
    allow_transfers,
    representations: Object.fromEntries(nodes.map((node) => [node, {}])),
  });
/** Two rooms: an arm serves the first, a mover the second; no node serves the shelf. */
const rack = location('rack', ['arm']);
const deck = location('deck', ['arm']);
const nest = location('nest', ['mover']);
const reader = location('reader', ['mover', 'reader']);
const shelf = location('shelf', []);
const locations = [rack, deck, nest, reader, shelf];
const edges = deriveTransferEdges(locations, null);

describe('reachable locations', () => {
  it('include several steps in one direction', () => {
    const option = { nodes: ['arm'], cost: 1 };
    const path = [
      { source: 'a', target: 'b', ...option },
      { source: 'b', target: 'c', ...option },
    ];
    expect([...findReachable('a', path)]).toEqual(['a', 'b', 'c']);
    expect([...findReachable('c', path)]).toEqual(['c']);
    expect([...findReachable('c', path, true)]).toEqual(['c', 'b', 'a']);
  });
});

describe('the position that would make a transfer possible', () => {
  it('is at one of the ends when that is sufficient', () => {
    expect(findMissingPositions(rack, reader, { locations, edges }).slice(0, 2)).toEqual([
      { node: 'mover', location: 'rack', otherLocation: 'reader' },
      { node: 'arm', location: 'reader', otherLocation: 'rack' },
    ]);
  });

  it('is suggested at a location that no node reaches', () => {
    const missingPositions = findMissingPositions(rack, shelf, { locations, edges });
    expect(missingPositions).toEqual([{ node: 'arm', location: 'shelf', otherLocation: 'rack' }]);
  });

  it('is never at a location that allows no transfers', () => {
    const closed = location('closed', [], false);
    expect(findMissingPositions(rack, closed, { locations: [...locations, closed], edges })).toEqual([]);
  });

  it('is not suggested when a route exists or no node transfers', () => {
    expect(findMissingPositions(rack, deck, { locations, edges })).toEqual([]);
    expect(findMissingPositions(rack, nest, { locations, edges: [] })).toEqual([]);
  });
});

it.each([
  [location('a', ['arm'], false), location('b', ['arm']), /^a does not allow transfers\.$/],
  [location('a', ['arm']), location('b', []), /^No node has a representation of b:/],
  [location('a', ['arm']), location('b', ['mover']), /The first has one for arm, the second for mover:/],
  [location('a', ['arm', 'x']), location('b', ['arm']), /^arm has representations of both, .* no transfer for it:/],
])('explainNoPath returns the reason why two locations have no path (case %#)', (from, to, reason) =>
  expect(explainNoPath(from, to)).toMatch(reason),
);

const room = [
  location('a', ['arm']),
  location('b', ['arm', 'mover']),
  location('c', ['mover']),
  location('d', ['arm'], false),
];
const pairs = (derived: ReturnType<typeof deriveTransferEdges>) =>
  derived.map(({ source, target, nodes }) => `${source}→${target} ${nodes.join(',')}`);

it('toTransferEdges reads the transfer graph of 0.8', () => {
  const edge = { source_location_id: 'a', target_location_id: 'b', node_names: ['arm'], min_cost: 2 };
  expect(toTransferEdges({ edges: [edge] })).toEqual([{ source: 'a', target: 'b', nodes: ['arm'], cost: 2 }]);
});

it('deriveTransferEdges for 0.7 connects locations with a common node where transfers are allowed', () => {
  expect(pairs(deriveTransferEdges(room, null))).toEqual(['a→b arm', 'b→a arm', 'b→c mover', 'c→b mover']);
});

it('deriveTransferEdges omits locations that 0.7 reports as unreachable', () => {
  expect(pairs(deriveTransferEdges(room, { a: ['b'], b: ['c'] }))).toEqual(['a→b arm', 'b→c mover']);
});
