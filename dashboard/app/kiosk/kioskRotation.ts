/** The rotation of panels on a wall screen, and of the parts of their pages. Pure. */
import type { Panel } from '../../panels/panel.ts';

/** Returns the panel after `name`, or the first one while the lab is unhealthy. */
export function nextPanel<Turn extends Pick<Panel, 'name' | 'kioskSeconds'>>(
  all: readonly Turn[],
  name: string,
  isHealthy: boolean,
): Turn | undefined {
  const turns = all.filter(({ kioskSeconds }) => kioskSeconds > 0);
  if (!isHealthy) return turns[0];
  return turns[(turns.findIndex((panel) => panel.name === name) + 1) % turns.length];
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
const overlap = 96;

/** Returns the position of the next screenful; `null` if the page has been shown to its end. */
export function nextScreenful({ top, view, content }: Screenful): number | null {
  const last = content - view;
  if (view <= overlap || top >= last - 1) return null;
  return Math.min(last, top + view - overlap);
}

/** Returns the number of screenfuls of the page. */
export function screenfuls({ view, content }: Omit<Screenful, 'top'>): number {
  if (view <= overlap || content <= view + 1) return 1;
  return 1 + Math.ceil((content - view) / (view - overlap));
}

/** The minimum time for which a screenful stays readable, in ms. */
const readingTime = 12_000;

/**
 * Returns how long each screenful of a panel stays, in ms: an equal share of the panel's time, but at least the reading
 * time.
 */
export function screenfulTime(kioskSeconds: number, screens: number): number {
  return Math.max((kioskSeconds * 1000) / screens, Math.min(readingTime, kioskSeconds * 1000));
}
