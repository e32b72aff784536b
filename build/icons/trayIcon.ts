/** The tray icon of a lab state: the state's shape and colour, the same as everywhere else, in three themes. */
import { questionMark, shapeDrawings, strokePath, type ShapeDrawing } from '../../api/stateShapes.ts';
import { stateColors, surfaces, type Shape } from '../../api/states.ts';
import { trayIconAppearances, type TrayIconName } from '../../api/trayIcons.ts';

/**
 * `light` is for light panels, `dark` for dark ones. Desktops report only the theme's colour, not the panel's, so a
 * contrasting rim keeps each icon readable on both. `template` is black and transparent: macOS colours it.
 */
export const trayThemes = ['light', 'dark', 'template'] as const;
export type TrayTheme = (typeof trayThemes)[number];

/**
 * The sizes in pixels: 16 for Windows and macOS, 22 for Linux, 24 and 32 for larger panels, and their doubles for high
 * density.
 */
export const traySizes = [16, 22, 24, 32, 44, 48] as const;

/**
 * Shapes that are outlines on the pages are drawn as discs with a mark here, because outlines are hard to see on a
 * panel.
 */
const solidShapes: Readonly<Partial<Record<Shape, ShapeDrawing>>> = {
  dashed: { ...solidShape('check'), mark: questionMark },
  hollow: { ...solidShape('check'), mark: 'M8 4.6a3.4 3.4 0 1 1 0 6.8 3.4 3.4 0 0 1 0-6.8Z' },
};

function solidShape(shape: Shape): Pick<ShapeDrawing, 'solid'> {
  const { solid: path } = shapeDrawings[shape];
  return path === undefined ? {} : { solid: path };
}

/** Differs without colour from a failed service, which has the same shape: the mark is the square of a stop. */
const stoppedDrawing: ShapeDrawing = { ...solidShape('octagon'), mark: 'M5.2 5.2h5.6v5.6H5.2Zm2.8 2.8h.01' };

export function trayIconSvg(icon: TrayIconName, theme: TrayTheme): string {
  const { shape, color } = trayIconAppearances[icon];
  const drawing = icon === 'stopped' ? stoppedDrawing : (solidShapes[shape] ?? shapeDrawings[shape]);
  const [onLight, onDark] = stateColors[color];
  switch (theme) {
    case 'light':
      return draw(drawing, onLight, surfaces.light.surface);
    case 'dark':
      return draw(drawing, onDark, surfaces.dark.background);
    case 'template':
      return cutOut(draw(drawing, '#FFFFFF', '#000000', false));
  }
}

/** Draws the shape with its mark. With a rim, which has the colour of the mark, the shape is a little smaller. */
function draw(drawing: ShapeDrawing, color: string, mark: string, hasRim = true): string {
  const path = drawing.solid ?? '';
  const rim = hasRim
    ? `<path d="${path}" fill="${mark}" stroke="${mark}" stroke-width="2.2" stroke-linejoin="round"/>`
    : '';
  const scale = hasRim ? ' transform="translate(8 8) scale(.89) translate(-8 -8)"' : '';
  const parts = `${rim}<path d="${path}" fill="${color}"/>${drawing.mark ? strokePath(drawing.mark, mark) : ''}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><g${scale}>${parts}</g></svg>`;
}

/** Converts white to black and black to transparent, so that a mark becomes a hole in its shape. */
function cutOut(drawing: string): string {
  const sized = drawing.replace('<svg ', '<svg width="16" height="16" ');
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">',
    `<defs><mask id="shape" maskUnits="userSpaceOnUse" x="0" y="0" width="16" height="16">${sized}</mask></defs>`,
    '<rect width="16" height="16" fill="#000000" mask="url(#shape)"/></svg>',
  ].join('');
}
