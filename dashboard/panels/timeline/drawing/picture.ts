/** The timeline as a picture for the next shift: light, with its title, span, sentence, lanes and legend. */
import { stepLooks, type StepState } from '../../../../api/states.ts';
import type { LaneLabel, Scene } from './TimelineCanvas.vue';
import { heightOf } from './lanes.ts';
import { axisHeight, paint } from './paint.ts';
import { categoryLook, mostCategories } from './palette.ts';
import { cut, hatch, paintShape, type Context } from './pen.ts';
import type { View } from './plan.ts';
import { paperTokens } from './tokens.ts';

export interface Picture {
  readonly scene: Scene;
  readonly view: Omit<View, 'width'>;
  readonly labels: readonly LaneLabel[];
  readonly title: string;
  /** The span, what came of it, and how far it is known. */
  readonly lines: readonly string[];
  /** What the categories are called; empty where the colours are for states. */
  readonly legend: readonly string[];
}

/** In CSS pixels; drawn twice as fine. */
const width = 1600;
const scale = 2;
const names = 220;
const margin = 24;
const line = 20;
const states: readonly StepState[] = ['succeeded', 'running', 'failed', 'cancelled', 'paused'];

/** The words in lines of a width. */
function wrapped(context: Context, text: string, room: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (context.measureText(longer).width > room) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** @throws where the browser makes no picture */
export async function pictureOf({ scene: of, view, labels, title, lines, legend }: Picture): Promise<Blob> {
  const scene = { ...of, font: 12 };
  const tall = axisHeight(scene.font) + heightOf(scene.lanes);
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.font = '14px "Inter Variable", system-ui, sans-serif';
  const words = lines.flatMap((text) => wrapped(context, text, width - 2 * margin));
  const top = margin + 32 + words.length * line + 8;
  [canvas.width, canvas.height] = [width * scale, (top + tall + 3 * line + margin) * scale];
  context.scale(scale, scale);
  const { surface, text, muted, line: border } = paperTokens;
  context.fillStyle = surface;
  context.fillRect(0, 0, width, canvas.height);
  context.textBaseline = 'middle';
  context.fillStyle = text;
  context.font = '600 20px "Inter Variable", system-ui, sans-serif';
  context.fillText(title, margin, margin + 12);
  context.font = '14px "Inter Variable", system-ui, sans-serif';
  for (const [at, sentence] of words.entries()) context.fillText(sentence, margin, margin + 40 + at * line);

  const wide = width - 2 * margin - names;
  context.save();
  context.translate(margin + names, top);
  paint(context, { ...scene, view: { ...view, width: wide }, tokens: paperTokens, current: null }, 0, tall);
  context.restore();
  context.strokeStyle = border;
  context.strokeRect(margin + 0.5, top + 0.5, width - 2 * margin - 1, tall - 1);
  context.font = '13px "Inter Variable", system-ui, sans-serif';
  for (const [at, lane] of scene.lanes.entries()) {
    const y = top + axisHeight(scene.font) + lane.top + lane.height / 2;
    const label = labels[at];
    const part = context.measureText(label?.part ?? '').width;
    context.fillStyle = text;
    context.fillText(cut(context, label?.name ?? '', names - part - 32), margin + 8, y);
    context.fillStyle = muted;
    context.fillText(label?.part ?? '', margin + names - part - 8, y);
  }
  paintLegend(context, legend, top + tall + line);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)), 'image/png');
  });
}

function paintLegend(context: Context, legend: readonly string[], top: number): void {
  let [x, y] = [margin, top];
  const put = (label: string, mark: (at: number, middle: number) => void): void => {
    const room = context.measureText(label).width + 44;
    if (x + room > width - margin) [x, y] = [margin, y + line];
    mark(x, y);
    context.fillStyle = paperTokens.text;
    context.fillText(label, x + 24, y);
    x += room;
  };
  for (const [place, label] of legend.entries())
    put(label, (at, middle) => {
      const { color, pattern } = categoryLook(Math.min(place, mostCategories));
      const filling = color === null ? paperTokens.muted : (paperTokens.palette[color] ?? paperTokens.muted);
      context.fillStyle =
        pattern === 'whole' || color === null ? filling : hatch(context, paperTokens.surface, 6, filling);
      context.fillRect(at, middle - 6, 18, 12);
    });
  for (const state of legend.length === 0 ? states : (['failed', 'paused'] as const)) {
    const look = stepLooks[state];
    put(look.word, (at, middle) =>
      paintShape(context, look, at, middle - 7, 14, paperTokens.states[look.color], paperTokens.surface),
    );
  }
}
