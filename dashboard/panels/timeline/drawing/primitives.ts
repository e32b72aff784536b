/** Drawing primitives: stripes, truncated text, shapes of states. */
import { questionMark, shapeDrawings } from '#api/stateShapes.ts';
import type { StateAppearance } from '#api/states.ts';

export type Context = CanvasRenderingContext2D;

const hatches = new Map<string, CanvasPattern | string>();
/** Returns a pattern of diagonal stripes. */
export function hatch(context: Context, color: string, size: number, background?: string): CanvasPattern | string {
  const key = `${color} ${background ?? ''} ${size}`;
  const cached = hatches.get(key);
  if (cached !== undefined) return cached;
  const tile = document.createElement('canvas');
  [tile.width, tile.height] = [size, size];
  const pen = tile.getContext('2d');
  if (pen === null) return color;
  if (background !== undefined) {
    pen.fillStyle = background;
    pen.fillRect(0, 0, size, size);
  }
  pen.strokeStyle = color;
  pen.lineWidth = size / 4;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1);
    pen.lineTo(shift + size + 1, -1);
  }
  pen.stroke();
  const pattern = context.createPattern(tile, 'repeat') ?? color;
  hatches.set(key, pattern);
  return pattern;
}

/** Truncates a text to the available width. */
export function truncateText(context: Context, text: string, maxWidth: number): string {
  const width = context.measureText(text).width;
  if (width <= maxWidth) return text;
  const length = Math.floor((text.length * maxWidth) / width) - 1;
  return length < 2 ? '' : `${text.slice(0, length)}…`;
}

const paths = new Map<string, Path2D>();
function cachedPath(text: string): Path2D {
  const path = paths.get(text) ?? new Path2D(text);
  paths.set(text, path);
  return path;
}

export function paintShape(
  context: Context,
  { shape }: StateAppearance,
  x: number,
  y: number,
  size: number,
  color: string,
  markColor: string,
): void {
  const drawing = shapeDrawings[shape];
  context.save();
  context.translate(x, y);
  context.scale(size / 16, size / 16);
  context.fillStyle = color;
  context.lineWidth = 1.75;
  context.lineCap = 'round';
  const stroke = (path: string, strokeColor: string, alpha = 1): void => {
    context.globalAlpha = alpha;
    context.strokeStyle = strokeColor;
    context.stroke(cachedPath(path));
    context.globalAlpha = 1;
  };
  if (drawing.faint !== undefined) stroke(drawing.faint, color, 0.35);
  if (drawing.solid !== undefined) context.fill(cachedPath(drawing.solid));
  if (drawing.line !== undefined) stroke(drawing.line, color);
  if (drawing.mark !== undefined) stroke(drawing.mark, markColor);
  if (shape === 'dashed') stroke(questionMark, color);
  context.restore();
}
