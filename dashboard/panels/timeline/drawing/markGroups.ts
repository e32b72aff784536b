/** Marks that would overlap at the current zoom are drawn as one group with their number. Pure. */
import { formatNumber } from '../../../base/texts.ts';
import { groupBy } from '../../../base/grouping.ts';
import type { StateLook } from '../../../../api/states.ts';
import { shortest } from '../span/span.ts';
import type { Mark } from '../moments/marks.ts';
import { timelineTexts } from '../texts.ts';
import { pixelOf, type View } from './plan.ts';

export interface MarkGroup {
  /** The node of all its marks; `null` for the whole lab. */
  readonly node: string | null;
  /** Oldest first. */
  readonly marks: readonly Mark[];
  /** The style of the most severe mark. */
  readonly look: StateLook;
  /** `312 errors`, or the number if space is limited; empty for a single mark. */
  readonly label: string;
  /** The left edge of its sign, in CSS pixels from the beginning of the lane. */
  readonly left: number;
  readonly width: number;
}

/** Maximum width of a group in widths of a mark, so that hours of errors are not one group. */
const maxSpan = 5;

/** Estimated width of a label in CSS pixels, without a canvas to measure it. */
const labelWidth = (letters: number, font: number): number => font + 11 + letters * font * 0.6;
/**
 * Returns the number of characters of a number with thousands separators. Computed for each mark of each frame, where
 * formatting is too slow.
 */
function figureLength(count: number): number {
  const digits = String(count).length;
  return digits + Math.floor((digits - 1) / 3);
}

/** Returns the width of a group of `count` marks, in CSS pixels. @param font text size */
export function signWidth(count: number, font: number): number {
  return count === 1 ? font + 3 : labelWidth(figureLength(count), font);
}

interface Open {
  marks: Mark[];
  /** The positions of its first and its last mark, in CSS pixels. */
  first: number;
  last: number;
}

/** Of one node, in the order of their times; the signs of two groups never overlap. */
function groupsOfNode(node: string | null, marks: readonly Mark[], view: View, font: number): MarkGroup[] {
  const groups: MarkGroup[] = [];
  let open: Open | null = null;
  const sign = ({ marks: openMarks, first, last }: Open) => {
    const width = signWidth(openMarks.length, font);
    const before = groups.at(-1);
    const left = (first + last - width) / 2;
    return { left: before === undefined ? left : Math.max(left, before.left + before.width + 1), width };
  };
  const close = (): void => {
    if (open === null) return;
    const worst = open.marks.reduce((a, b) => (b.look.severity > a.look.severity ? b : a));
    const label = open.marks.length === 1 ? '' : formatNumber(open.marks.length);
    groups.push({ node, marks: open.marks, look: worst.look, label, ...sign(open) });
    open = null;
  };
  for (const mark of marks) {
    const x = pixelOf(mark.at, view);
    if (open !== null) {
      const { left, width } = sign(open);
      const overlaps = x - signWidth(1, font) / 2 < left + width;
      if (overlaps && x - open.first <= maxSpan * font) {
        open.marks.push(mark);
        open.last = x;
        continue;
      }
      close();
    }
    open = { marks: [mark], first: x, last: x };
  }
  close();
  return groups;
}

/** Returns the number of marks of each kind, most frequent first: `310 errors, 2 commands`. */
export function countText(marks: readonly Mark[]): string {
  return [...groupBy(marks, ({ kind }) => kind)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([kind, sameKind]) => timelineTexts.text.marks[kind](sameKind.length))
    .join(', ');
}

/** Labels a group with its kinds if there is space before the next one. */
function labelGroups(groups: readonly MarkGroup[], view: View, font: number): readonly MarkGroup[] {
  return groups.map((group, index) => {
    const { marks, left, width } = group;
    const text = countText(marks);
    const wide = labelWidth(text.length, font);
    const end = groups[index + 1]?.left ?? view.width;
    return marks.length === 1 || left + wide > end ? group : { ...group, label: text, width: Math.max(width, wide) };
  });
}

/** @param marks oldest first */
export function markGroups(marks: readonly Mark[], view: View, font: number): readonly MarkGroup[] {
  const groups = [...groupBy(marks, ({ node }) => node)].flatMap(([node, nodeMarks]) =>
    labelGroups(groupsOfNode(node, nodeMarks, view, font), view, font),
  );
  return groups.filter(({ left, width }) => left + width >= 0 && left <= view.width);
}

/** When the first and the last of its marks were, in ms since the epoch. */
export function spanOfGroup({ marks }: Pick<MarkGroup, 'marks'>): { readonly from: number; readonly to: number } {
  const from = marks[0]?.at ?? 0;
  return { from, to: marks.at(-1)?.at ?? from };
}

/** Returns whether zooming in can separate some of its marks; false at the closest zoom. */
export function canSeparate(group: Pick<MarkGroup, 'marks'>, view: View, font: number): boolean {
  const { from, to } = spanOfGroup(group);
  const isClosest = view.to - view.from <= shortest * 1.05;
  return !isClosest && ((to - from) / shortest) * view.width > signWidth(1, font);
}
