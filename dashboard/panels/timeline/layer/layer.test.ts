import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { busyTime, firstStartSince, overlappingRange } from './layer.ts';
import { allWorkflowsVisible, sampleLayer, type SampleEntry } from '#dashboard/fixtures/sampleLayer.ts';

const now = 500;
const entries = fc.array(
  fc
    .record({
      start: fc.integer({ min: 0, max: 400 }),
      length: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.constant(Infinity)),
      lane: fc.constantFrom('arm', 'reader'),
      waiting: fc.boolean(),
      owner: fc.nat(3),
    })
    .map(({ start, length, ...rest }): SampleEntry => ({ ...rest, start, end: start + length })),
  { maxLength: 40 },
);
const span = fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 300 }));

describe('a search in the layer', () => {
  it('returns the first start of the entries since a time', () => {
    const layer = sampleLayer([
      { start: 10, end: 20 },
      { start: 40, end: 60 },
      { start: 50, end: Infinity, lane: 'reader' },
    ]);
    expect(firstStartSince(layer, -Infinity)).toBe(10);
    expect(firstStartSince(layer, 30)).toBe(40);
    // An entry that began before and still runs.
    expect(firstStartSince(layer, 55)).toBe(55);
    expect(firstStartSince(sampleLayer([]), 0)).toBeNull();
  });

  it('returns every entry that touches a range, and none that begins after it', () => {
    fc.assert(
      fc.property(entries, span, (input, [from, length]) => {
        const layer = sampleLayer(input);
        const to = from + length;
        for (const [laneIndex, name] of layer.lanes.entries()) {
          const [first, last] = overlappingRange(layer, laneIndex, from, to);
          const [begin, end] = [layer.offsets[laneIndex] ?? 0, layer.offsets[laneIndex + 1] ?? 0];
          for (let index = begin; index < end; index += 1) {
            const isIn = index >= first && index < last;
            const touches = (layer.start[index] ?? 0) <= to && (layer.end[index] ?? 0) >= from;
            if (touches) expect(isIn, `${name} ${index}`).toBe(true);
            else if ((layer.start[index] ?? 0) > to) expect(isIn).toBe(false);
          }
        }
      }),
    );
  });
});

describe('busyTime of a lane', () => {
  it('counts each millisecond once in which a shown entry ran', () => {
    fc.assert(
      fc.property(
        entries,
        span,
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        (input, [from, length], visibleFlags) => {
          const layer = sampleLayer(input);
          const to = Math.min(now, from + length);
          const visibleWorkflows = Uint8Array.from(visibleFlags, Number);
          for (const [laneIndex, name] of layer.lanes.entries()) {
            const runs = input.filter(
              ({ lane, waiting, owner = 0 }) => lane === name && waiting !== true && visibleWorkflows[owner] === 1,
            );
            let expected = 0;
            for (let ms = from; ms < to; ms += 1)
              if (runs.some(({ start, end }) => start <= ms && Math.min(end, now) >= ms + 1)) expected += 1;
            expect(busyTime(layer, laneIndex, from, to, now, visibleWorkflows)).toBe(expected);
          }
        },
      ),
    );
  });

  it.each<[string, readonly SampleEntry[], number]>([
    ['nothing without entries', [], 0],
    ['no time for a wait', [{ start: 0, end: 100, waiting: true }], 0],
    ['a running entry up to now', [{ start: 90, end: Infinity }], 10],
    [
      'an entry within another one',
      [
        { start: 0, end: 100 },
        { start: 20, end: 30 },
      ],
      100,
    ],
    ['an entry that began before', [{ start: -50, end: 10 }], 10],
  ])('counts %s', (_what, input, busy) => {
    expect(busyTime(sampleLayer([{ start: -99, end: -98 }, ...input]), 0, 0, 100, 100, allWorkflowsVisible)).toBe(busy);
  });
});
