import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleLocation } from '#dashboard/fixtures/sampleLocation.ts';
import { buildGraphModel, findNearest, type Positions } from './graphModel.ts';
import { cell, computeLayout, type LayoutRequest } from './layout.ts';

const hubs = ['node arm', 'node mover', 'node gripper'];
const createRequest = (count: number): LayoutRequest => ({
  hubs,
  positions: {},
  locations: Array.from({ length: count }, (_, index) => [
    `location ${index}`,
    hubs.filter((_hub, hubIndex) => (((index * 7) % 8) >> hubIndex) % 2 === 1),
  ]),
});
function findOverlaps(positions: Positions, keys: readonly string[]): string[] {
  const all = keys.map((key) => [key, positions[key]] as const);
  return all.flatMap(([key, point], index) =>
    all.slice(index + 1).flatMap(([otherKey, otherPoint]) => {
      if (point === undefined || otherPoint === undefined) throw new Error(`${key} or ${otherKey} has no position`);
      const areApart =
        Math.abs(point.x - otherPoint.x) >= cell.width || Math.abs(point.y - otherPoint.y) >= cell.height;
      return areApart ? [] : [`${key} on ${otherKey}`];
    }),
  );
}
const listLocationKeys = (request: LayoutRequest) => request.locations.map(([key]) => key);

describe('computeLayout', () => {
  it.each([0, 1, 5, 40, 200])('returns positions without overlap, the same every time, for %i locations', (count) => {
    const request = createRequest(count);
    const positions = computeLayout(request);
    expect(findOverlaps(positions, listLocationKeys(request))).toEqual([]);
    expect(computeLayout(createRequest(count))).toEqual(positions);
    expect(computeLayout({ ...request, positions })).toEqual(positions);
  });

  it('keeps the other positions when one location is removed and another one is added', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 40 }), fc.integer({ min: 0, max: 39 }), (count, removedIndex) => {
        const previousRequest = createRequest(count);
        const positions = computeLayout(previousRequest);
        const locations = previousRequest.locations.filter((_location, index) => index !== removedIndex % count);
        const addedEntry: LayoutRequest['locations'][number] = ['new', ['node arm', 'node new']];
        const changedRequest = { hubs: [...hubs, 'node new'], locations: [...locations, addedEntry], positions };
        const newPositions = computeLayout(changedRequest);
        for (const [key] of locations) expect(newPositions[key]).toEqual(positions[key]);
        expect(findOverlaps(newPositions, listLocationKeys(changedRequest))).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});

describe('buildGraphModel', () => {
  const edge = (source: string, target: string, nodes: string[], cost: number | null) => ({
    source,
    target,
    nodes,
    cost,
  });
  it('returns a hub for each transferring node, connected to its locations', () => {
    const locations = ['a', 'b', 'c'].map((name) => sampleLocation(name, { location_id: name }));
    const model = buildGraphModel(locations, [edge('a', 'b', ['mover', 'arm'], 2), edge('b', 'a', ['arm'], 1)]);
    expect(model.hubs).toEqual([
      { key: 'node arm', node: 'arm', costs: { min: 1, max: 2 } },
      { key: 'node mover', node: 'mover', costs: { min: 2, max: 2 } },
    ]);
    expect(Object.fromEntries(model.hubsByLocation)).toEqual({
      a: ['node arm', 'node mover'],
      b: ['node arm', 'node mover'],
      c: [],
    });
    expect(model.edges).toHaveLength(4);
  });

  it('returns no cost when the manager reports none', () => {
    const model = buildGraphModel([sampleLocation('a', { location_id: 'a' })], [edge('a', 'b', ['arm'], null)]);
    expect(model.hubs[0]?.costs).toBeNull();
  });
});

describe('findNearest', () => {
  const positions: Positions = { a: { x: 0, y: 0 }, b: { x: 200, y: 0 }, c: { x: 400, y: 90 }, d: { x: 0, y: 100 } };
  it.each([
    ['a', 'ArrowRight', 'b'],
    ['b', 'ArrowRight', 'c'],
    ['b', 'ArrowLeft', 'a'],
    ['a', 'ArrowDown', 'd'],
    ['d', 'ArrowUp', 'a'],
    ['a', 'ArrowUp', null],
    ['c', 'ArrowRight', null],
  ])('for %s and %s returns %s', (from, key, to) => expect(findNearest(from, key, positions)).toBe(to));
});
