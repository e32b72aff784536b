import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeAppearances } from '#api/states.ts';
import { allWorkflowsVisible } from '#dashboard/fixtures/sampleLayer.ts';
import type { Mark } from '../moments/marks.ts';
import { zoomTo, minSpanMs } from '../span/span.ts';
import { canSeparate, groupMarks, markWidth, groupSpan } from './markGroups.ts';
import { pickElement } from './pickElement.ts';
import { describePick } from './descriptions.ts';

const font = 12;
const hour = 3_600_000;
const view = { from: 0, to: 24 * hour, width: 1200, now: 24 * hour };
const mark = (at: number, kind: Mark['kind'] = 'error', node: string | null = 'arm'): Mark => ({
  id: `${at}`,
  at,
  node,
  kind,
  level: 40,
  appearance: kind === 'error' ? nodeAppearances.errored : nodeAppearances.ready,
  text: 'broke',
});

describe('marks at the current zoom', () => {
  it('are separate when they are apart and form one group with a number when they overlap', () => {
    const errors = Array.from({ length: 312 }, (_none, index) => mark(12 * hour + index * 1000));
    const groups = groupMarks([mark(hour), ...errors, mark(20 * hour)], view, font);
    expect(groups.map(({ marks }) => marks.length)).toEqual([1, 312, 1]);
    expect(groups.map(({ label }) => label)).toEqual(['', '312 errors', '']);
    expect(groupSpan(groups[1] ?? { marks: [] })).toEqual({ from: 12 * hour, to: 12 * hour + 311_000 });
  });

  it('form many groups, not one block, for 2,000 errors in a day', () => {
    const errors = Array.from({ length: 2000 }, (_none, index) => mark((index / 2000) * 24 * hour));
    const groups = groupMarks(errors, view, font);
    expect(groups.length).toBeGreaterThan(8);
    expect(groups.length).toBeLessThan(40);
    // There is no space for text between the marks.
    expect(groups[0]?.label).toMatch(/^\d+$/);
  });

  it('form groups that never overlap, are complete and have the appearance of the most severe mark', () => {
    const marks = fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 24 * hour }),
        kind: fc.constantFrom<Mark['kind'][]>('error', 'command'),
        node: fc.constantFrom('arm', 'reader', null),
      }),
      { maxLength: 300 },
    );
    fc.assert(
      fc.property(marks, (input) => {
        const sorted = input.map(({ at, kind, node }) => mark(at, kind, node)).toSorted((a, b) => a.at - b.at);
        const groups = groupMarks(sorted, view, font);
        expect(groups.reduce((sum, group) => sum + group.marks.length, 0)).toBe(sorted.length);
        for (const node of ['arm', 'reader', null]) {
          const nodeGroups = groups.filter((group) => group.node === node);
          for (const [index, { left }] of nodeGroups.entries()) {
            const previousGroup = nodeGroups[index - 1];
            if (previousGroup !== undefined)
              expect(left).toBeGreaterThanOrEqual(previousGroup.left + previousGroup.width);
          }
        }
        for (const { marks: grouped, appearance } of groups)
          expect(appearance.severity).toBe(Math.max(...grouped.map((groupedMark) => groupedMark.appearance.severity)));
      }),
    );
  });

  it('are separated by zooming in, unless they are simultaneous or the zoom is at its limit', () => {
    const errors = Array.from({ length: 50 }, (_none, index) => mark(12 * hour + index * 60_000));
    const [group] = groupMarks(errors, view, font);
    expect(canSeparate({ marks: errors }, view, font)).toBe(true);
    const closer = { ...view, ...zoomTo(groupSpan(group ?? { marks: [] }), 24 * hour) };
    expect(groupMarks(errors, closer, font).length).toBeGreaterThan(1);
    const same = Array.from({ length: 5 }, () => mark(12 * hour));
    expect(canSeparate({ marks: same }, view, font)).toBe(false);
    const closest = { from: 12 * hour, to: 12 * hour + minSpanMs, width: 1200, now: 24 * hour };
    expect(canSeparate({ marks: errors }, closest, font)).toBe(false);
  });

  it('need more space for a higher number', () => {
    expect(markWidth(2, font)).toBeGreaterThan(markWidth(1, font));
    expect(markWidth(2000, font)).toBeGreaterThan(markWidth(2, font));
  });
});

describe('a group under the pointer', () => {
  const lanes = [{ key: 'arm', layerIndex: null, top: 0, height: 30, rows: 1 }];
  const drawing = {
    layer: null,
    lanes,
    sizes: { row: 20, padding: 10 },
    visibleWorkflows: allWorkflowsVisible,
    view,
    outages: [],
    font,
  };

  it('shows the number of each kind and the effect of a click', () => {
    const marks = [
      ...Array.from({ length: 310 }, (_none, index) => mark(12 * hour + index * 1000)),
      mark(12 * hour + 311_000, 'command'),
    ];
    const picked = pickElement({ ...drawing, marks }, 600, 6);
    expect(picked).toMatchObject({ kind: 'marks', canZoom: true });
    if (picked === null) throw new Error('Nothing is there.');
    const text = describePick(picked, null, () => '', view.now);
    expect(text?.title).toBe('310 errors, 1 command');
    expect(text?.more.join(' ')).toContain('zoom in');
  });
});
