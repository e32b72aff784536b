/** Draws the marks: on the lane of their node, at its upper edge; those of the whole lab through all lanes. */
import type { Lane } from './lanes.ts';
import { markGroups, spanOfGroup, type MarkGroup } from './markGroups.ts';
import { paintShape, type Context } from './pen.ts';
import { pixelOf, type View } from './plan.ts';
import type { Mark } from '../moments/marks.ts';
import type { Tokens } from './tokens.ts';

interface MarkDrawing {
  readonly view: View;
  /** Oldest first. */
  readonly marks: readonly Mark[];
  readonly tokens: Tokens;
  /** CSS pixels of the smallest text. */
  readonly font: number;
}

export function paintMarks(context: Context, drawing: MarkDrawing, lanes: readonly Lane[]): void {
  const { view, marks, font } = drawing;
  const byKey = new Map(lanes.map((lane) => [lane.key, lane]));
  const last = lanes.at(-1);
  for (const group of markGroups(marks, view, font)) {
    const lane = group.node === null ? lanes[0] : byKey.get(group.node);
    if (lane === undefined || last === undefined) continue;
    const end = group.node === null ? last : lane;
    paintGroup(context, drawing, group, lane.top, end.top + end.height);
  }
}

function paintGroup(
  context: Context,
  { view, tokens, font }: MarkDrawing,
  group: MarkGroup,
  top: number,
  end: number,
): void {
  const { marks, look, label, left, width } = group;
  const color = tokens.states[look.color];
  const { from, to } = spanOfGroup(group);
  const [first, final] = [pixelOf(from, view), pixelOf(to, view)];
  context.fillStyle = color;
  if (marks.length === 1) context.fillRect(Math.round(first) - 1, top, 2, end - top);
  else {
    // A band in place of its lines, which would be one block.
    context.globalAlpha = 0.18;
    context.fillRect(first, top, Math.max(2, final - first), end - top);
    context.globalAlpha = 1;
  }
  const middle = top + font / 2 + 1;
  context.fillStyle = tokens.surface;
  context.beginPath();
  const center = left + width / 2;
  if (marks.length === 1) context.arc(center, middle, font / 2 + 1.5, 0, Math.PI * 2);
  else context.roundRect(left, top, width, font + 3, font / 2 + 1);
  context.fill();
  const x = marks.length === 1 ? center - font / 2 : left + 3;
  paintShape(context, look, x, top + 1, font, color, tokens.surface);
  if (marks.length === 1) return;
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.stroke();
  context.fillStyle = tokens.text;
  context.fillText(label, x + font + 3, middle + 1);
}
