import { expect, it } from 'vitest';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import { deriveTransferEdges, toTransferEdges, groupEdgesBySource } from './transferEdges.ts';

const location = (name: string, nodes: readonly string[], allow_transfers = true) =>
  sampleLocation(name, {
    location_id: name,
    allow_transfers,
    representations: Object.fromEntries(nodes.map((node) => [node, {}])),
  });
const all = [
  location('a', ['arm']),
  location('b', ['arm', 'mover']),
  location('c', ['mover']),
  location('d', ['arm'], false),
];
const pairs = (edges: ReturnType<typeof deriveTransferEdges>) =>
  edges.map(({ source, target, nodes }) => `${source}→${target} ${nodes.join(',')}`);

it('toTransferEdges reads the transfer graph of 0.8', () => {
  const edge = { source_location_id: 'a', target_location_id: 'b', node_names: ['arm'], min_cost: 2 };
  expect(toTransferEdges({ edges: [edge] })).toEqual([{ source: 'a', target: 'b', nodes: ['arm'], cost: 2 }]);
});

it('deriveTransferEdges for 0.7 connects locations with a common node where transfers are allowed', () => {
  expect(pairs(deriveTransferEdges(all, null))).toEqual(['a→b arm', 'b→a arm', 'b→c mover', 'c→b mover']);
});

it('deriveTransferEdges omits locations that 0.7 reports as unreachable', () => {
  expect(pairs(deriveTransferEdges(all, { a: ['b'], b: ['c'] }))).toEqual(['a→b arm', 'b→c mover']);
});

it('groupEdgesBySource groups edges by their source', () => {
  const from = groupEdgesBySource(deriveTransferEdges(all, null));
  expect(from.get('b')?.map(({ target }) => target)).toEqual(['a', 'c']);
  expect(from.get('d')).toBeUndefined();
});
