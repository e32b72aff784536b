/** The shapes of the states in a 16 × 16 box: for badges, the shell's pages and the tray’s icons. */
import type { Shape } from './states.ts';

export interface ShapeDrawing {
  /** Path filled with the state's colour. */
  readonly solid?: string;
  /** Path in the state's colour, 1.75 wide. */
  readonly line?: string;
  /** Like `line`, but faint: the incomplete part of a ring. */
  readonly faint?: string;
  /** Dashes of `line`; its round ends make each 1.75 longer. */
  readonly dashes?: string;
  /** Path in the surface's colour on top of `solid`. */
  readonly mark?: string;
}

const disc = 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Z';
const ring = 'M8 1.9a6.1 6.1 0 1 1 0 12.2A6.1 6.1 0 0 1 8 1.9Z';

export const shapeDrawings: Readonly<Record<Shape, ShapeDrawing>> = {
  check: { solid: disc, mark: 'M4.8 8.3l2.2 2.2 4.2-4.6' },
  arc: { faint: ring, line: 'M8 1.9a6.1 6.1 0 0 1 5.3 9.1' },
  hollow: { line: ring },
  pause: { solid: disc, mark: 'M6.2 5.3v5.4M9.8 5.3v5.4' },
  padlock: { solid: 'M3 7h10v7.5H3Z', line: 'M5 7V4.9a3 3 0 0 1 6 0V7' },
  triangle: {
    solid: 'M8 1.2a1 1 0 0 1 .9.5l6.2 11.6a1 1 0 0 1-.9 1.5H1.8a1 1 0 0 1-.9-1.5L7.1 1.7a1 1 0 0 1 .9-.5Z',
    mark: 'M8 5.8v3.7M8 11.9v.2',
  },
  square: {
    solid: 'M3.5 1.5h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2Z',
    mark: 'M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2',
  },
  octagon: { solid: 'M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1Z', mark: 'M5 8h6' },
  dashed: { line: ring, dashes: '0.65 3.183' },
};

/** Path in the state's colour inside `dashed`: a question mark. */
export const questionMark = 'M6.3 6.4a1.7 1.7 0 1 1 2.5 1.5c-.5.3-.8.6-.8 1.1v.2M8 11.3v.1';

export function strokePath(d: string, paint: string, extraAttributes = ''): string {
  const ends = 'stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"';
  return `<path d="${d}" fill="none" stroke="${paint}" ${ends}${extraAttributes}/>`;
}

/** The shape as a standalone SVG image, for the page's icon. `mark` is the colour on top of `color`. */
export function shapeSvg(shape: Shape, color: string, mark: string): string {
  const drawing = shapeDrawings[shape];
  const parts = [
    drawing.faint === undefined ? '' : strokePath(drawing.faint, color, ' opacity=".35"'),
    drawing.solid === undefined ? '' : `<path d="${drawing.solid}" fill="${color}"/>`,
    drawing.line === undefined
      ? ''
      : strokePath(drawing.line, color, drawing.dashes === undefined ? '' : ` stroke-dasharray="${drawing.dashes}"`),
    drawing.mark ? strokePath(drawing.mark, mark) : '',
    shape === 'dashed' ? strokePath(questionMark, color) : '',
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${parts.join('')}</svg>`;
}
