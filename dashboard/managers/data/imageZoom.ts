/** The zoom of an image, and the point that stays in place while it changes. */

/** Factors relative to the size at which the whole image is visible. */
export const zoomLevels = [1, 1.5, 2, 3, 4, 6, 8, 12, 16] as const;

/** Returns the next larger or smaller zoom; the same at the ends. */
export function nextZoom(zoom: number, larger: boolean): number {
  return larger
    ? (zoomLevels.find((level) => level > zoom) ?? zoom)
    : (zoomLevels.findLast((level) => level < zoom) ?? zoomLevels[0]);
}

/**
 * Returns the scroll position along one side that keeps `point` in place.
 * @param scroll the current position, in px
 * @param point distance from the edge of the visible area, in px
 */
export function scrollAfterZoom(scroll: number, point: number, previousZoom: number, newZoom: number): number {
  return Math.max(0, ((scroll + point) * newZoom) / previousZoom - point);
}
