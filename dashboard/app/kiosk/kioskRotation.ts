/** Whose turn it is on a wall screen, and which part of its page. Pure. */
import type { Panel } from '../../panels/panel.ts';

/** The panel after `name`; the first one while the lab isn't well. */
export function nextPanel<Turn extends Pick<Panel, 'name' | 'kioskSeconds'>>(
  all: readonly Turn[],
  name: string,
  well: boolean,
): Turn | undefined {
  const turns = all.filter(({ kioskSeconds }) => kioskSeconds > 0);
  if (!well) return turns[0];
  return turns[(turns.findIndex((panel) => panel.name === name) + 1) % turns.length];
}

/** A page on a wall screen, in CSS pixels. */
export interface Screenful {
  /** How far it is scrolled. */
  readonly top: number;
  /** What is seen at once. */
  readonly view: number;
  readonly content: number;
}

/** Rows that end a screenful half begin the next one whole: two lines of large type, in CSS pixels. */
const overlap = 96;

/** Where the next screenful begins; `null` where the page has been shown to its end. */
export function nextScreenful({ top, view, content }: Screenful): number | null {
  const last = content - view;
  if (view <= overlap || top >= last - 1) return null;
  return Math.min(last, top + view - overlap);
}

/** How many screenfuls the page has. */
export function screenfuls({ view, content }: Omit<Screenful, 'top'>): number {
  if (view <= overlap || content <= view + 1) return 1;
  return 1 + Math.ceil((content - view) / (view - overlap));
}

/** Less than this nobody reads a screenful in, in ms. */
const readingTime = 12_000;

/** How long each screenful of a panel stays, in ms: they share its turn as far as they can be read in it. */
export function screenfulTime(kioskSeconds: number, screens: number): number {
  return Math.max((kioskSeconds * 1000) / screens, Math.min(readingTime, kioskSeconds * 1000));
}
