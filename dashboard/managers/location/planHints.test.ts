import { describe, expect, it } from 'vitest';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import { findMissingPositions, findReachable } from './planHints.ts';
import { deriveTransferEdges } from './transferEdges.ts';

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
