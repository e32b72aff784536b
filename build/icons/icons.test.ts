import { Resvg } from '@resvg/resvg-js';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { trayIconNames } from '../../api/trayIcons.ts';
import { homeScreenIconSvg } from './appIcon.ts';
import { encodeIcns, encodeIco } from './containers.ts';
import { appIconPath, appSizes, iconFiles, trayIconPath } from './files.ts';
import { traySizes, trayThemes } from './trayIcon.ts';

const icons = resolve(import.meta.dirname, '../../dist/icons');

/** Reads an icon that `npm start` or `npm test` has built. */
function readIcon(path: string): Buffer {
  return readFileSync(join(icons, path));
}

/** Width and height from a PNG's header. */
function dimensions(png: Buffer): [number, number] {
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

type Pixel = readonly [red: number, green: number, blue: number];

/** Returns the pixels of a built icon, drawn on a panel of this colour. */
function pixelsOn(path: string, panel: string): Pixel[] {
  const png = readIcon(path);
  const [width, height] = dimensions(png);
  const href = `data:image/png;base64,${png.toString('base64')}`;
  const size = `width="${width}" height="${height}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${href}"/></svg>`;
  const { pixels } = new Resvg(svg, { background: panel }).render();
  return Array.from({ length: width * height }, (_, index): Pixel => {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(index * 4, index * 4 + 3);
    return [red, green, blue];
  });
}

/** Returns the luminance of a colour, 0 to 1, from its linear components (Rec. 709). */
const luminance = ([red, green, blue]: Pixel): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** Returns the contrast ratio of two colours as WCAG defines it, 1 to 21. */
function contrast(one: Pixel, other: Pixel): number {
  const linear = (value: number) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminances = [one, other].map(([red, green, blue]) => luminance([linear(red), linear(green), linear(blue)]));
  const [dark = 0, bright = 0] = luminances.toSorted((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

test('every icon exists in its size', () => {
  for (const { path, size } of iconFiles()) expect(dimensions(readIcon(path)), path).toEqual([size, size]);
  const paths = new Set(iconFiles().map(({ path }) => path));
  for (const size of appSizes) expect(paths).toContain(appIconPath(size));
  for (const state of trayIconNames) {
    for (const theme of trayThemes) {
      for (const size of traySizes) expect(paths).toContain(trayIconPath(state, theme, size));
    }
  }
});

test('the icon for home screens fills its square, and its drawing is in the safe zone of maskable icons', () => {
  const size = 192;
  const { pixels } = new Resvg(homeScreenIconSvg(), { fitTo: { mode: 'width', value: size } }).render();
  const whiteDistances: number[] = [];
  for (let index = 0; index < size * size; index += 1) {
    const [red = 0, , , alpha] = pixels.subarray(index * 4, index * 4 + 4);
    expect(alpha).toBe(255);
    const fromCentre = Math.hypot((index % size) + 0.5 - size / 2, Math.floor(index / size) + 0.5 - size / 2);
    // The background has little red, and the drawing is white.
    if (red > 128) whiteDistances.push(fromCentre);
  }
  expect(Math.max(...whiteDistances)).toBeLessThanOrEqual(0.4 * size);
  expect(Math.max(...whiteDistances)).toBeGreaterThan(0.3 * size);
});

/**
 * Panel colours of each theme, with the minimum contrast there. Each theme must be readable on the other theme's panel
 * as well: some desktops use a dark panel in a light theme, or the reverse.
 */
const panels = [
  { theme: 'light', panel: '#FFFFFF', minContrast: 4.5 },
  { theme: 'light', panel: '#000000', minContrast: 4.5 },
  { theme: 'light', panel: '#2E2E2E', minContrast: 4.5 },
  { theme: 'dark', panel: '#000000', minContrast: 4.5 },
  { theme: 'dark', panel: '#2E2E2E', minContrast: 4.5 },
  { theme: 'dark', panel: '#FFFFFF', minContrast: 4.5 },
  { theme: 'template', panel: '#FFFFFF', minContrast: 4.5 },
] as const;

/**
 * The minimum number of the 256 pixels of a 16 px icon that must differ, by at least a quarter of the greyscale range,
 * for two states to be distinguishable: discs differ only in their marks.
 */
const minDifferingPixels = 12;
const minDifference = 64;

for (const { theme, panel, minContrast } of panels) {
  test(`the tray states differ without colour: ${theme} on ${panel}`, () => {
    const icons16 = trayIconNames.map((state) => pixelsOn(trayIconPath(state, theme, 16), panel).map(luminance));
    for (const [index, state] of trayIconNames.entries()) {
      for (const otherState of trayIconNames.slice(index + 1)) {
        const [a, b] = [icons16[index]!, icons16[trayIconNames.indexOf(otherState)]!];
        const differing = a.filter((value, pixel) => Math.abs(value - b[pixel]!) >= minDifference).length;
        expect(differing, `${state} and ${otherState}`).toBeGreaterThanOrEqual(minDifferingPixels);
      }
    }
  });

  test(`the tray states are readable: ${theme} on ${panel}`, () => {
    const grey = Number.parseInt(panel.slice(1, 3), 16);
    const panelColour: Pixel = [grey, grey, grey];
    for (const state of trayIconNames) {
      for (const size of traySizes) {
        const icon = pixelsOn(trayIconPath(state, theme, size), panel);
        const contrastingPixels = icon.filter((pixel) => contrast(pixel, panelColour) >= minContrast);
        // A thin outline is hard to see on a panel. On the other theme's panel only the rim has contrast; it must cover
        // more than 15% of the box.
        expect(contrastingPixels.length / size ** 2, `${state} at ${size}`).toBeGreaterThan(0.15);
      }
    }
  });
}

test('the icon containers of Windows and macOS contain the pictures of their index', () => {
  const pictures = [16, 256].map((size) => ({ size, png: readIcon(appIconPath(size)) }));
  const windows = encodeIco(pictures);
  expect([windows.readUInt16LE(2), windows.readUInt16LE(4), windows[6], windows[22]]).toEqual([1, 2, 16, 0]);
  const offset = windows.readUInt32LE(22 + 12);
  expect(windows.subarray(offset, offset + windows.readUInt32LE(22 + 8))).toEqual(pictures[1]!.png);
  const mac = encodeIcns(pictures);
  expect(mac.readUInt32BE(4)).toBe(mac.length);
  expect(mac.subarray(8, 12).toString()).toBe('icp4');
  expect(mac.subarray(16, mac.readUInt32BE(12) + 8)).toEqual(pictures[0]!.png);
  expect(() => encodeIcns([{ size: 20, png: new Uint8Array() }])).toThrow('20 pixels');
});
