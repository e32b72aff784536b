/** The tray's icon of a lab state: the state's shape and colour, the same as everywhere else, in three themes. */
import { shapeSvg } from '../../api/shapes.ts';
import { labLooks, stateColors, surfaces, type LabState } from '../../api/states.ts';

/**
 * `light` is for light panels, and readable on dark ones too: some desktops keep a black panel in their light theme.
 * `dark` is for dark panels. `template` is black and transparent: macOS colours it by itself.
 */
export const trayThemes = ['light', 'dark', 'template'] as const;
export type TrayTheme = (typeof trayThemes)[number];

/** Pixels: 22 is Linux's, 16 that of Windows and macOS, 24 and 32 larger panels'; and those for double density. */
export const traySizes = [16, 22, 24, 32, 44, 48] as const;

export function trayIconSvg(state: LabState, theme: TrayTheme): string {
  const { shape, color } = labLooks[state];
  const [onLight, onDark] = stateColors[color];
  switch (theme) {
    case 'light':
      return shapeSvg(shape, onLight, surfaces.light.surface);
    case 'dark':
      return shapeSvg(shape, onDark, surfaces.dark.background);
    case 'template':
      return cutOut(shapeSvg(shape, '#FFFFFF', '#000000'));
  }
}

/** Black where the drawing is white, transparent where it is black or nothing: a mark becomes a hole in its shape. */
function cutOut(drawing: string): string {
  const sized = drawing.replace('<svg ', '<svg width="16" height="16" ');
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">',
    `<defs><mask id="shape" maskUnits="userSpaceOnUse" x="0" y="0" width="16" height="16">${sized}</mask></defs>`,
    '<rect width="16" height="16" fill="#000000" mask="url(#shape)"/></svg>',
  ].join('');
}
