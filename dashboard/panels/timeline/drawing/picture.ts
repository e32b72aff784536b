/** The timeline as an image file in the light theme, with title, dates and time zone, summary, lanes and legend. */
import type { LaneLabel, Scene } from './TimelineCanvas.vue';
import { lanesHeight } from './lanes.ts';
import { axisHeight, paint } from './paint.ts';
import { categoryAppearance, maxCategories, paperTokens } from './palette.ts';
import { truncateText, hatch, paintShape, type Context } from './primitives.ts';
import type { View } from './laneBars.ts';
import type { LegendContent, LegendItem, LegendSymbol } from './legend.ts';

export interface Picture {
  readonly scene: Scene;
  readonly view: Omit<View, 'width'>;
  readonly labels: readonly LaneLabel[];
  readonly title: string;
  /** The span with the time of saving, the filters, and the summary. */
  readonly lines: readonly string[];
  readonly legend: LegendContent;
}

/** The size in CSS pixels; drawn at twice the resolution. */
const width = 1600;
const scale = 2;
const namesWidth = 220;
const margin = 24;
const lineHeight = 20;
const legendFont = '13px "Inter Variable", system-ui, sans-serif';

/** Returns the text as lines of at most this width. */
function wrapText(context: Context, text: string, maxWidth: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const candidate = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (context.measureText(candidate).width > maxWidth) lines.push(word);
    else lines[lines.length - 1] = candidate;
  }
  return lines;
}

/** @throws Error if the browser can't create a picture */
export async function renderPicture({ scene: source, view, labels, title, lines, legend }: Picture): Promise<Blob> {
  const scene = { ...source, font: 12 };
  const drawingHeight = axisHeight(scene.font) + lanesHeight(scene.lanes);
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.font = '14px "Inter Variable", system-ui, sans-serif';
  const parts = lines.flatMap((text) => wrapText(context, text, width - 2 * margin));
  const top = margin + 32 + parts.length * lineHeight + 8;
  context.font = legendFont;
  const legendItems = layoutLegend(context, legend);
  const rows = Math.max(...legendItems.map(({ row }) => row)) + 1;
  [canvas.width, canvas.height] = [width * scale, (top + drawingHeight + (rows + 1) * lineHeight + margin) * scale];
  context.scale(scale, scale);
  const { surface, text, muted, line: border } = paperTokens;
  context.fillStyle = surface;
  context.fillRect(0, 0, width, canvas.height);
  context.textBaseline = 'middle';
  context.fillStyle = text;
  context.font = '600 20px "Inter Variable", system-ui, sans-serif';
  context.fillText(title, margin, margin + 12);
  context.font = '14px "Inter Variable", system-ui, sans-serif';
  for (const [index, sentence] of parts.entries()) context.fillText(sentence, margin, margin + 40 + index * lineHeight);

  const drawingWidth = width - 2 * margin - namesWidth;
  context.save();
  context.translate(margin + namesWidth, top);
  paint(
    context,
    { ...scene, view: { ...view, width: drawingWidth }, tokens: paperTokens, current: null },
    0,
    drawingHeight,
  );
  context.restore();
  context.strokeStyle = border;
  context.strokeRect(margin + 0.5, top + 0.5, width - 2 * margin - 1, drawingHeight - 1);
  context.font = legendFont;
  for (const [index, lane] of scene.lanes.entries()) {
    const y = top + axisHeight(scene.font) + lane.top + lane.height / 2;
    const label = labels[index];
    const shareWidth = context.measureText(label?.busyShare ?? '').width;
    context.fillStyle = text;
    context.fillText(truncateText(context, label?.name ?? '', namesWidth - shareWidth - 32), margin + 8, y);
    context.fillStyle = muted;
    context.fillText(label?.busyShare ?? '', margin + namesWidth - shareWidth - 8, y);
  }
  for (const { item, x, row } of legendItems) paintItem(context, item, x, top + drawingHeight + (row + 1) * lineHeight);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)), 'image/png');
  });
}

/** `symbol` is `null` for the legend's title. */
interface PlacedItem {
  readonly item: Pick<LegendItem, 'label'> & { readonly symbol: LegendSymbol | null };
  readonly x: number;
  readonly row: number;
}

/** Places the items in as many rows as needed. */
function layoutLegend(context: Context, { title, items }: LegendContent): readonly PlacedItem[] {
  let [x, row] = [margin, 0];
  return [{ label: title, symbol: null }, ...items].map((item) => {
    const itemWidth = context.measureText(item.label).width + (item.symbol === null ? 20 : 44);
    if (x > margin && x + itemWidth > width - margin) [x, row] = [margin, row + 1];
    x += itemWidth;
    return { item, x: x - itemWidth, row };
  });
}

function paintItem(context: Context, { label, symbol }: PlacedItem['item'], x: number, middle: number): void {
  if (symbol !== null) paintSymbol(context, symbol, x, middle);
  context.fillStyle = symbol === null ? paperTokens.muted : paperTokens.text;
  context.fillText(label, symbol === null ? x : x + 24, middle);
}

function paintSymbol(context: Context, symbol: LegendSymbol, x: number, middle: number): void {
  const { states, palette, muted, surface, line: border } = paperTokens;
  if (symbol.kind === 'appearance') {
    paintShape(context, symbol.appearance, x, middle - 7, 14, states[symbol.appearance.color], surface);
    return;
  }
  if (symbol.kind === 'wait') {
    context.fillStyle = states.waiting;
    context.fillRect(x, middle - 1, 18, 2);
    return;
  }
  if (symbol.kind === 'bar') context.fillStyle = states[symbol.appearance.color];
  else if (symbol.kind === 'unread') context.fillStyle = hatch(context, border, 8);
  else {
    const { color, pattern } = categoryAppearance(Math.min(symbol.index, maxCategories));
    const fill = color === null ? muted : (palette[color] ?? muted);
    context.fillStyle = pattern === 'solid' || color === null ? fill : hatch(context, surface, 6, fill);
  }
  context.fillRect(x, middle - 6, 18, 12);
}
