import { describe, expect, it } from 'vitest';
import { stateColors, surfaces } from '#api/states.ts';
import { paletteColors } from './palette.ts';

const channels = (hex: string): [number, number, number] => {
  const channel = (start: number): number => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
};
const luminance = (hex: string): number => {
  const [red, green, blue] = channels(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
/** The perceived difference of two colours: their distance in Oklab. */
function colorDistance(left: string, right: string): number {
  const lab = (hex: string): number[] => {
    const [red, green, blue] = channels(hex);
    const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
    const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
    const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
  };
  const [a, b] = [lab(left), lab(right)];
  return Math.hypot(...a.map((value, index) => value - (b[index] ?? 0)));
}

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('the palette on the %s theme', (theme, index) => {
  const colors = paletteColors.map((pair) => pair[index]);

  it('has a contrast of at least 4.5 against the surface', () => {
    for (const color of colors) {
      const [high, low] = [luminance(color), luminance(surfaces[theme].surface)].toSorted((a, b) => b - a);
      expect(((high ?? 0) + 0.05) / ((low ?? 0) + 0.05), color).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('differs from the state colors, and each color is distinct', () => {
    const states = Object.values(stateColors).map((pair) => pair[index]);
    for (const [position, color] of colors.entries())
      for (const otherColor of [...states, ...colors.slice(position + 1)])
        expect(colorDistance(color, otherColor), `${color} ${otherColor}`).toBeGreaterThanOrEqual(0.065);
  });
});
