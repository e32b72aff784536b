/** How large an image is shown, and which part of it stays where it is while that changes. Pure. */

/** Times the size in which all of it is seen. */
export const zooms = [1, 1.5, 2, 3, 4, 6, 8, 12, 16] as const;

/** The next larger or smaller one; the same at the ends. */
export function nextZoom(zoom: number, larger: boolean): number {
  return larger ? (zooms.find((each) => each > zoom) ?? zoom) : (zooms.findLast((each) => each < zoom) ?? zooms[0]);
}

/**
 * Where to scroll to along one side, so that what is at `point` stays there.
 * @param scroll now, in px
 * @param point from the edge of what is seen, in px
 */
export function scrollAfter(scroll: number, point: number, before: number, after: number): number {
  return Math.max(0, ((scroll + point) * after) / before - point);
}
