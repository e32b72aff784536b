/** Decides the position of the window: the last one, if a screen is still there. Pure. */
import type { SavedBounds } from '../preferences/preferences.ts';

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const defaultSize = { width: 1440, height: 900 } as const;
export const minSize = { width: 480, height: 480 } as const;

/** The part of the title bar that must be on a screen, in pixels, so that the window can be moved. */
const minVisibleTitleBar = { width: 120, height: 40 } as const;

/** Returns the position of the window on the available `screens` (work areas, the main one first). */
export function placeWindow(
  saved: SavedBounds | null,
  screens: readonly Rectangle[],
): { x?: number; y?: number; width: number; height: number } {
  const main = screens[0] ?? { x: 0, y: 0, width: defaultSize.width, height: defaultSize.height };
  const fit = (length: number, smallest: number, available: number) => Math.max(smallest, Math.min(length, available));
  const bounds = saved ?? defaultSize;
  const savedScreen = screens.find((screen) => saved !== null && isGrabbable(saved, screen));
  const screen = savedScreen ?? main;
  const width = fit(bounds.width, minSize.width, screen.width);
  const height = fit(bounds.height, minSize.height, screen.height);
  return savedScreen && saved ? { x: saved.x, y: saved.y, width, height } : { width, height };
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
