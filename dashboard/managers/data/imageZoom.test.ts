import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextZoom, scrollAfterZoom, zoomLevels } from './imageZoom.ts';

it.each([
  [1, true, 1.5],
  [16, true, 16],
  [1, false, 1],
  [2, false, 1.5],
])('nextZoom after %d (larger: %s) is %d', (zoom, larger, next) => expect(nextZoom(zoom, larger)).toBe(next));

it('zooming keeps the point under the pointer in place', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zoomLevels),
      fc.constantFrom(...zoomLevels),
      fc.integer({ min: 0, max: 4000 }),
      fc.integer({ min: 0, max: 400 }),
      (previousZoom, newZoom, scroll, point) => {
        const imagePosition = (scroll + point) / previousZoom;
        const newScroll = scrollAfterZoom(scroll, point, previousZoom, newZoom);
        // At the edge no scrolling is possible.
        if (newScroll > 0) expect((newScroll + point) / newZoom).toBeCloseTo(imagePosition, 6);
        else expect(imagePosition * newZoom - point).toBeLessThanOrEqual(1e-6);
      },
    ),
  );
});
