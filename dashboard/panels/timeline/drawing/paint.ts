/** Draws the visible part of the timeline on a canvas. */
import type { TimeRange } from '#dashboard/base/time.ts';
import { stepAppearances, stepStates, type StateAppearance } from '#api/states.ts';
import { computeTimeTicks } from '#dashboard/components/time/axis.ts';
import type { Layer } from '../layer/layer.ts';
import type { Outage } from '../moments/outages.ts';
import { timelineTexts } from '../texts.ts';
import type { Mark } from '../moments/marks.ts';
import { outageLane, type Lane, type LaneSizes } from './lanes.ts';
import { truncateText, hatch, paintShape, type Context } from './primitives.ts';
import { listBars, toPixel, type LaneBar, type View } from './laneBars.ts';
import { categoryAppearance, isProblem, type Tokens } from './palette.ts';
import { groupMarks, groupSpan, type MarkGroup } from './markGroups.ts';

export interface Drawing {
  readonly view: View;
  readonly layer: Layer | null;
  readonly lanes: readonly Lane[];
  readonly sizes: LaneSizes;
  readonly visibleWorkflows: Uint8Array;
  /** The colour index of each workflow; `null`: coloured by the outcome of the steps. */
  readonly categories: Uint8Array | null;
  readonly getName: (entry: number) => string;
  readonly marks: readonly Mark[];
  readonly outages: readonly (Outage & { readonly row: number })[];
  /** Time before which no steps are loaded, ms since the epoch; `null` if all are loaded. */
  readonly since: number | null;
  /** Times without monitoring of the managers. */
  readonly unwatched: readonly TimeRange[];
  /** Index in the layer of the entry with the focus or under the pointer. */
  readonly current: number | null;
  readonly tokens: Tokens;
  /** CSS pixels of the smallest text. */
  readonly font: number;
}

/** The height of the axis above the lanes, in CSS pixels. */
export function axisHeight(font: number): number {
  return Math.round(font * 2);
}

/** @param top scroll position of the lanes; @param height of the canvas with the axis; both in CSS pixels */
export function paint(context: Context, drawing: Drawing, top: number, height: number): void {
  const { view, lanes, tokens, font } = drawing;
  const axis = axisHeight(font);
  context.clearRect(0, 0, view.width, height);
  context.fillStyle = tokens.surface;
  context.fillRect(0, 0, view.width, height);
  context.font = `${font}px "Inter Variable", system-ui, sans-serif`;
  context.textBaseline = 'middle';
  context.save();
  context.beginPath();
  context.rect(0, axis, view.width, height - axis);
  context.clip();
  context.translate(0, axis - top);
  const visibleLanes = lanes.filter((lane) => lane.top + lane.height > top && lane.top < top + height);
  paintGrid(context, drawing, visibleLanes, top, height);
  for (const lane of visibleLanes) {
    if (lane.key === outageLane) paintOutages(context, drawing, lane);
    else paintNodeOutages(context, drawing, lane);
    if (lane.layerIndex !== null && drawing.layer !== null) paintLane(context, drawing, drawing.layer, lane);
  }
  paintMarks(context, drawing, visibleLanes);
  context.restore();
  paintAxis(context, drawing, height);
}

/** The height of the strip that marks times without monitoring, in CSS pixels: it is not an outage. */
const unwatchedStripHeight = 6;

function paintGrid(
  context: Context,
  { view, tokens, since, unwatched }: Drawing,
  lanes: readonly Lane[],
  top: number,
  height: number,
): void {
  for (const { key, top: begin, height: laneHeight } of lanes) {
    const unreadRanges = since === null ? [] : [{ from: view.from, to: since }];
    context.fillStyle = hatch(context, tokens.line, 8);
    for (const { from, to } of key === outageLane ? unwatched : unreadRanges) {
      const [left, right] = [Math.max(0, toPixel(from, view)), Math.min(view.width, toPixel(to, view))];
      const stripTop = key === outageLane ? begin + laneHeight - unwatchedStripHeight : begin;
      if (right > left) context.fillRect(left, stripTop, right - left, begin + laneHeight - stripTop);
    }
    context.fillStyle = tokens.line;
    context.fillRect(0, begin + laneHeight - 1, view.width, 1);
  }
  context.fillStyle = tokens.line;
  for (const { at } of computeTimeTicks(view, view.width))
    context.fillRect(Math.round(toPixel(at, view)), top, 1, height);
}

function paintAxis(context: Context, { view, tokens, font }: Drawing, height: number): void {
  const middle = font;
  context.fillStyle = tokens.line;
  context.fillRect(0, axisHeight(font) - 1, view.width, 1);
  context.fillStyle = tokens.muted;
  for (const { at, label } of computeTimeTicks(view, view.width)) {
    const x = toPixel(at, view);
    const halfWidth = context.measureText(label).width / 2;
    if (x > halfWidth && x < view.width - halfWidth) context.fillText(label, x - halfWidth, middle);
  }
  const now = toPixel(view.now, view);
  if (now < 0 || now > view.width) return;
  context.fillStyle = tokens.accent;
  context.fillRect(Math.min(Math.round(now), view.width - 1) - 1, font * 1.5, 2, height - font * 1.5);
}

function stepAppearance(state: number): StateAppearance {
  return stepAppearances[stepStates[state] ?? 'unknown'];
}

function barFill(context: Context, { layer, categories, tokens }: Drawing, bar: LaneBar): CanvasPattern | string {
  const appearance = stepAppearance(bar.state);
  if (categories === null || layer === null) return tokens.states[appearance.color];
  const { color, pattern } = categoryAppearance(categories[layer.owner[bar.entry] ?? 0] ?? 0);
  if (color === null) return tokens.muted;
  const fill = tokens.palette[color] ?? tokens.muted;
  return pattern === 'solid' ? fill : hatch(context, tokens.surface, 6, fill);
}

function paintLane(context: Context, drawing: Drawing, layer: Layer, lane: Lane): void {
  const { view, visibleWorkflows, sizes, tokens, current } = drawing;
  const bars = listBars(layer, lane.layerIndex ?? 0, view, visibleWorkflows);
  const inset = 2;
  for (const bar of bars) {
    if (bar.waiting) {
      context.fillStyle = tokens.states.waiting;
      // Below the bars, because the node that a step waits for is usually executing another one.
      context.fillRect(bar.x, lane.top + lane.height - sizes.padding / 2, bar.width, 2);
      continue;
    }
    const y = lane.top + sizes.padding / 2 + bar.row * sizes.row + inset;
    const barHeight = sizes.row - 2 * inset;
    // The gap between two consecutive bars.
    const width = bar.width > 3 ? bar.width - 1 : bar.width;
    context.fillStyle = barFill(context, drawing, bar);
    context.fillRect(bar.x, y, width, barHeight);
    paintState(context, drawing, bar, y, barHeight);
    if (bar.entry === current) {
      context.strokeStyle = tokens.text;
      context.lineWidth = 2;
      context.strokeRect(bar.x - 1, y - 1, Math.max(2, width) + 2, barHeight + 2);
    }
  }
}

/** Failures are visible with every coloring; a wide bar shows the step's name. */
function paintState(context: Context, drawing: Drawing, bar: LaneBar, y: number, barHeight: number): void {
  const { tokens, categories, font, getName } = drawing;
  const appearance = stepAppearance(bar.state);
  const isMarked = isProblem(appearance);
  if (categories !== null && isMarked) {
    context.fillStyle = tokens.states[appearance.color];
    context.fillRect(bar.x, y + barHeight - 5, bar.width > 3 ? bar.width - 1 : bar.width, 5);
  }
  const icon = font;
  let x = bar.x + 4;
  if (bar.width >= icon + 8 && (isMarked || categories === null)) {
    const onBar = categories === null;
    if (!onBar) {
      context.fillStyle = tokens.surface;
      context.fillRect(x - 2, y + (barHeight - icon) / 2 - 2, icon + 4, icon + 4);
    }
    paintShape(
      context,
      appearance,
      x,
      y + (barHeight - icon) / 2,
      icon,
      onBar ? tokens.surface : tokens.states[appearance.color],
      onBar ? tokens.states[appearance.color] : tokens.surface,
    );
    x += icon + 4;
  }
  const availableWidth = bar.x + bar.width - x - 4;
  if (availableWidth < font * 3) return;
  const { color, pattern } =
    categories === null || drawing.layer === null
      ? { color: 0, pattern: 'solid' }
      : categoryAppearance(categories[drawing.layer.owner[bar.entry] ?? 0] ?? 0);
  const text =
    bar.count > 1 ? timelineTexts.further(bar.count - 1) : truncateText(context, getName(bar.entry), availableWidth);
  if (pattern === 'striped' && color !== null) {
    context.fillStyle = tokens.palette[color] ?? tokens.muted;
    context.fillRect(x - 2, y + 2, context.measureText(text).width + 4, barHeight - 4);
  }
  context.fillStyle = tokens.surface;
  context.fillText(text, x, y + barHeight / 2 + 0.5);
}

function paintOutages(context: Context, { view, outages, sizes, tokens, font }: Drawing, lane: Lane): void {
  for (const outage of outages) {
    const x = Math.max(0, toPixel(outage.start, view));
    const right = Math.min(view.width, toPixel(outage.end ?? view.now, view));
    if (outage.node !== null || right < 0 || x > view.width) continue;
    const { appearance } = outage;
    const y = lane.top + sizes.padding / 2 + outage.row * sizes.row + 2;
    const barHeight = sizes.row - 4;
    const width = Math.max(2, right - x);
    context.fillStyle = tokens.states[appearance.color];
    context.fillRect(x, y, width, barHeight);
    if (width < font + 8) continue;
    paintShape(
      context,
      appearance,
      x + 4,
      y + (barHeight - font) / 2,
      font,
      tokens.surface,
      tokens.states[appearance.color],
    );
    context.fillStyle = tokens.surface;
    if (width > font * 5)
      context.fillText(truncateText(context, outage.name, width - font - 14), x + font + 8, y + barHeight / 2 + 0.5);
  }
}

/** Draws a band behind the steps of the lane, and a line at its lower edge, which also shows short outages. */
function paintNodeOutages(context: Context, { view, outages, tokens }: Drawing, lane: Lane): void {
  for (const outage of outages) {
    if (outage.node !== lane.key) continue;
    const x = Math.max(0, toPixel(outage.start, view));
    const right = Math.min(view.width, toPixel(outage.end ?? view.now, view));
    if (right < 0 || x > view.width) continue;
    const width = Math.max(2, right - x);
    context.fillStyle = tokens.states[outage.appearance.color];
    context.globalAlpha = 0.18;
    context.fillRect(x, lane.top, width, lane.height - 1);
    context.globalAlpha = 1;
    context.fillRect(x, lane.top + lane.height - 4, width, 3);
  }
}

interface MarkDrawing {
  readonly view: View;
  /** Oldest first. */
  readonly marks: readonly Mark[];
  readonly tokens: Tokens;
  /** CSS pixels of the smallest text. */
  readonly font: number;
}

/** Draws the marks: those of a node at the upper edge of its lane, those of the whole lab across all lanes. */
function paintMarks(context: Context, drawing: MarkDrawing, lanes: readonly Lane[]): void {
  const { view, marks, font } = drawing;
  const byKey = new Map(lanes.map((lane) => [lane.key, lane]));
  const last = lanes.at(-1);
  for (const group of groupMarks(marks, view, font)) {
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
  bottom: number,
): void {
  const { marks, appearance, label, left, width } = group;
  const color = tokens.states[appearance.color];
  const { from, to } = groupSpan(group);
  const [first, last] = [toPixel(from, view), toPixel(to, view)];
  context.fillStyle = color;
  if (marks.length === 1) context.fillRect(Math.round(first) - 1, top, 2, bottom - top);
  else {
    // A band replaces the lines of a group, which would merge into one block.
    context.globalAlpha = 0.18;
    context.fillRect(first, top, Math.max(2, last - first), bottom - top);
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
  paintShape(context, appearance, x, top + 1, font, color, tokens.surface);
  if (marks.length === 1) return;
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.stroke();
  context.fillStyle = tokens.text;
  context.fillText(label, x + font + 3, middle + 1);
}
