/** The arrow keys on things that stand anywhere: the nearest one in that direction. Pure. */
import type { Places, Point } from './layout.ts';

const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
/** What is straight ahead comes before what is aside. */
const aside = 2;

export const isDirection = (key: string): boolean => directions[key] !== undefined;

/** @returns `null` where nothing is in that direction */
export function nearestTowards(from: string, key: string, places: Places): string | null {
  const [at, direction] = [places[from], directions[key]];
  if (at === undefined || direction === undefined) return null;
  let best: { readonly key: string; readonly distance: number } | null = null;
  for (const [other, { x, y }] of Object.entries(places)) {
    const ahead = (x - at.x) * direction.x + (y - at.y) * direction.y;
    const across = Math.abs((x - at.x) * direction.y) + Math.abs((y - at.y) * direction.x);
    if (other === from || ahead <= 0 || across > ahead * 3) continue;
    const distance = ahead + aside * across;
    if (best === null || distance < best.distance) best = { key: other, distance };
  }
  return best?.key ?? null;
}
