/** Creates a stand-alone image of a plot: with background, title and legend, at the resolution of the screen. */

interface ImageParts {
  readonly title: string;
  /** The name of the x axis; empty if the values are numbered. */
  readonly x: string;
  /** The legend; empty for a single series. */
  readonly lines: readonly { readonly name: string; readonly dash: readonly number[]; readonly stroke: string }[];
  /** Returns a colour of the theme by its property. */
  readonly color: (property: string) => string;
}

/** The height of a line of text, in px of the page. */
const lineHeight = 20;
const margin = 12;

/** Returns the plot as an image; `null` where the browser can't create one. */
export function renderPlotImage(plot: HTMLCanvasElement, { title, x, lines, color }: ImageParts): Promise<Blob | null> {
  const scale = globalThis.devicePixelRatio || 1;
  const width = plot.width / scale;
  const linesBelow = lines.length + (x === '' ? 0 : 1);
  const height = lineHeight + plot.height / scale + linesBelow * lineHeight;
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil((width + 2 * margin) * scale);
  canvas.height = Math.ceil((height + 2 * margin) * scale);
  const context = canvas.getContext('2d');
  if (context === null) return Promise.resolve(null);
  context.scale(scale, scale);
  context.fillStyle = color('--surface') || '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(margin, margin);
  context.textBaseline = 'middle';
  context.fillStyle = color('--text') || '#000';
  context.font = '600 14px Inter, sans-serif';
  context.fillText(title, 0, lineHeight / 2, width);
  context.drawImage(plot, 0, lineHeight, width, plot.height / scale);
  context.font = '12px Inter, sans-serif';
  context.lineWidth = 2;
  let y = lineHeight + plot.height / scale + lineHeight / 2;
  if (x !== '') {
    context.fillText(`${x} →`, 52, y, width - 52);
    y += lineHeight;
  }
  for (const { name, dash, stroke } of lines) {
    context.strokeStyle = stroke;
    context.setLineDash([...dash]);
    context.beginPath();
    context.moveTo(52, y);
    context.lineTo(76, y);
    context.stroke();
    context.fillText(name, 84, y, width - 84);
    y += lineHeight;
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
