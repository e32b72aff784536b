/** The rotation of panels on a wall screen, and of the parts of their pages. */
import type { Panel } from '../../panels/panel.ts';

/** Returns the panel after `name`, or the first one while the lab is unhealthy. */
export function nextPanel<RotatedPanel extends Pick<Panel, 'name' | 'kioskSeconds'>>(
  all: readonly RotatedPanel[],
  name: string,
  isHealthy: boolean,
): RotatedPanel | undefined {
  const rotatedPanels = all.filter(({ kioskSeconds }) => kioskSeconds > 0);
  if (!isHealthy) return rotatedPanels[0];
  return rotatedPanels[(rotatedPanels.findIndex((panel) => panel.name === name) + 1) % rotatedPanels.length];
}

/** A page on a wall screen, in CSS pixels. */
export interface Screenful {
  /** The scroll position. */
  readonly top: number;
  /** The visible height. */
  readonly view: number;
  readonly content: number;
}

/**
 * The overlap of two screenfuls, so that a row cut off by one is complete in the next: two lines of large type, in CSS
 * pixels.
 */
const overlapPx = 96;

/** Returns the position of the next screenful; `null` if the page has been shown to its end. */
export function nextScreenful({ top, view, content }: Screenful): number | null {
  const last = content - view;
  if (view <= overlapPx || top >= last - 1) return null;
  return Math.min(last, top + view - overlapPx);
}

/** Returns the number of screenfuls of the page. */
export function countScreenfuls({ view, content }: Omit<Screenful, 'top'>): number {
  if (view <= overlapPx || content <= view + 1) return 1;
  return 1 + Math.ceil((content - view) / (view - overlapPx));
}

/** The minimum time for which a screenful stays readable, in ms. */
const minReadingMs = 12_000;

/**
 * Returns how long each screenful of a panel stays, in ms: an equal share of the panel's time, but at least the reading
 * time.
 */
export function screenfulMs(kioskSeconds: number, screens: number): number {
  return Math.max((kioskSeconds * 1000) / screens, Math.min(minReadingMs, kioskSeconds * 1000));
}
