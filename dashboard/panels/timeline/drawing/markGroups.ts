/** Marks that would overlap at the current zoom are drawn as one group with their number. */
import { formatNumber } from '#api/countText.ts';
import { groupBy } from '#dashboard/base/grouping.ts';
import type { StateAppearance } from '#api/states.ts';
import { minSpanMs } from '../span/span.ts';
import type { Mark } from '../moments/marks.ts';
import { timelineTexts } from '../texts.ts';
import { toPixel, type View } from './laneBars.ts';

export interface MarkGroup {
  /** The node of all its marks; `null` for the whole lab. */
  readonly node: string | null;
  /** Oldest first. */
  readonly marks: readonly Mark[];
  /** The appearance of the most severe mark. */
  readonly appearance: StateAppearance;
  /** `312 errors`, or the number if space is limited; empty for a single mark. */
  readonly label: string;
  /** The left edge of its symbol, in CSS pixels from the beginning of the lane. */
  readonly left: number;
  readonly width: number;
}

/** Maximum width of a group, as a multiple of the text size, so that hours of errors are not one group. */
const maxGroupWidth = 5;

/** Estimated width of a label in CSS pixels, without a canvas to measure it. */
const labelWidth = (characters: number, font: number): number => font + 11 + characters * font * 0.6;
/**
 * Returns the number of characters of a number with thousands separators. Computed for each mark of each frame, where
 * formatting is too slow.
 */
function formattedLength(count: number): number {
  const digits = String(count).length;
  return digits + Math.floor((digits - 1) / 3);
}

/** Returns the width of a group of `count` marks, in CSS pixels. @param font text size */
export function markWidth(count: number, font: number): number {
  return count === 1 ? font + 3 : labelWidth(formattedLength(count), font);
}

interface OpenGroup {
  marks: Mark[];
  /** The positions of its first and its last mark, in CSS pixels. */
  first: number;
  last: number;
}

/** Groups the marks of one node, given oldest first; the symbols of two groups never overlap. */
function groupNodeMarks(node: string | null, marks: readonly Mark[], view: View, font: number): MarkGroup[] {
  const groups: MarkGroup[] = [];
  let openGroup: OpenGroup | null = null;
  const placeGroup = ({ marks: openMarks, first, last }: OpenGroup) => {
    const width = markWidth(openMarks.length, font);
    const previous = groups.at(-1);
    const groupLeft = (first + last - width) / 2;
    return {
      left: previous === undefined ? groupLeft : Math.max(groupLeft, previous.left + previous.width + 1),
      width,
    };
  };
  const close = (): void => {
    if (openGroup === null) return;
    const worst = openGroup.marks.reduce((a, b) => (b.appearance.severity > a.appearance.severity ? b : a));
    const label = openGroup.marks.length === 1 ? '' : formatNumber(openGroup.marks.length);
    groups.push({ node, marks: openGroup.marks, appearance: worst.appearance, label, ...placeGroup(openGroup) });
    openGroup = null;
  };
  for (const mark of marks) {
    const x = toPixel(mark.at, view);
    if (openGroup !== null) {
      const { left, width } = placeGroup(openGroup);
      const overlaps = x - markWidth(1, font) / 2 < left + width;
      if (overlaps && x - openGroup.first <= maxGroupWidth * font) {
        openGroup.marks.push(mark);
        openGroup.last = x;
        continue;
      }
      close();
    }
    openGroup = { marks: [mark], first: x, last: x };
  }
  close();
  return groups;
}

/** Returns the number of marks of each kind, most frequent first: `310 errors, 2 commands`. */
export function describeCounts(marks: readonly Mark[]): string {
  return [...groupBy(marks, ({ kind }) => kind)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([kind, sameKind]) => timelineTexts.text.marks[kind](sameKind.length))
    .join(', ');
}

/** Labels a group with its kinds if there is space before the next one. */
function labelGroups(groups: readonly MarkGroup[], view: View, font: number): readonly MarkGroup[] {
  return groups.map((group, index) => {
    const { marks, left, width } = group;
    const text = describeCounts(marks);
    const labelledWidth = labelWidth(text.length, font);
    const end = groups[index + 1]?.left ?? view.width;
    return marks.length === 1 || left + labelledWidth > end
      ? group
      : { ...group, label: text, width: Math.max(width, labelledWidth) };
  });
}

/** @param marks oldest first */
export function groupMarks(marks: readonly Mark[], view: View, font: number): readonly MarkGroup[] {
  const groups = [...groupBy(marks, ({ node }) => node)].flatMap(([node, nodeMarks]) =>
    labelGroups(groupNodeMarks(node, nodeMarks, view, font), view, font),
  );
  return groups.filter(({ left, width }) => left + width >= 0 && left <= view.width);
}

/** Returns the times of its first and its last mark, in ms since the epoch. */
export function groupSpan({ marks }: Pick<MarkGroup, 'marks'>): { readonly from: number; readonly to: number } {
  const from = marks[0]?.at ?? 0;
  return { from, to: marks.at(-1)?.at ?? from };
}

/** Returns whether zooming in can separate some of its marks; false at the closest zoom. */
export function canSeparate(group: Pick<MarkGroup, 'marks'>, view: View, font: number): boolean {
  const { from, to } = groupSpan(group);
  const isClosest = view.to - view.from <= minSpanMs * 1.05;
  return !isClosest && ((to - from) / minSpanMs) * view.width > markWidth(1, font);
}
