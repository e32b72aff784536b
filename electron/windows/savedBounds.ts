/** Decides the position of the window: the last one, if a screen is still there. */
import type { SavedBounds } from '../preferences/preferences.ts';

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const defaultSize = { width: 1440, height: 900 } as const;
export const minSize = { width: 480, height: 480 } as const;

/** The part of the title bar that must be on a screen, in pixels, so that the window can be moved. */
const minVisibleTitleBar = { width: 120, height: 40 } as const;

/** The height of the title bar that a window manager adds to the size of a window, in pixels. */
const titleBarHeight = 40;

interface WindowSize {
  readonly width: number;
  readonly height: number;
  readonly minWidth?: number;
  readonly minHeight?: number;
}

/** Limits a window to the work area of its screen, which at a high scale is smaller than the usual minimum. */
export function fitSize(
  { width, height, minWidth = minSize.width, minHeight = minSize.height }: WindowSize,
  screen: Pick<Rectangle, 'width' | 'height'>,
): Required<WindowSize> {
  const fit = (length: number, smallest: number, available: number) => Math.min(Math.max(smallest, length), available);
  return {
    width: fit(width, minWidth, screen.width),
    height: fit(height, minHeight, screen.height - titleBarHeight),
    minWidth: Math.min(minWidth, screen.width),
    minHeight: Math.min(minHeight, screen.height - titleBarHeight),
  };
}

/** Returns the position of the window on the available `screens` (work areas, the main one first). */
export function placeWindow(
  saved: SavedBounds | null,
  screens: readonly Rectangle[],
): { x?: number; y?: number } & Required<WindowSize> {
  const main = screens[0] ?? { x: 0, y: 0, width: defaultSize.width, height: defaultSize.height };
  const savedScreen = screens.find((screen) => saved !== null && isGrabbable(saved, screen));
  const size = fitSize(
    { width: (saved ?? defaultSize).width, height: (saved ?? defaultSize).height },
    savedScreen ?? main,
  );
  return savedScreen && saved ? { x: saved.x, y: saved.y, ...size } : size;
}

function isGrabbable(window: Rectangle, screen: Rectangle): boolean {
  const visibleLeft = Math.max(window.x, screen.x);
  const visibleRight = Math.min(window.x + window.width, screen.x + screen.width);
  return (
    visibleRight - visibleLeft >= minVisibleTitleBar.width &&
    window.y >= screen.y &&
    window.y + minVisibleTitleBar.height <= screen.y + screen.height
  );
}
