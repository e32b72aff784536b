/**
 * The pixels of a virtual screen, from the file that `Xvfb -fbdir` maps into memory. Source: the X Window Dump format,
 * X11/XWDFile.h.
 */
import { readFile } from 'node:fs/promises';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ScreenPicture {
  readonly width: number;
  readonly height: number;
  /** 32 bits per pixel: blue, green, red, and an unused byte. */
  readonly pixels: Buffer;
}

const bytesPerPixel = 4;
/** The size of an entry of the colour table. */
const colorBytes = 12;
/** The maximum difference of a colour component; panels scale icons. */
const tolerance = 6;
/** The minimum number of pixels of a state's colour in an icon. */
const minPixels = 30;

/** @param file Xvfb_screen0 of a screen with 24 bits per pixel */
export async function readScreen(file: string): Promise<ScreenPicture> {
  const dump = await readFile(file);
  const field = (index: number) => dump.readUInt32BE(index * 4);
  const [headerBytes, width, height, bitsPerPixel, bytesPerLine, colors] = [0, 4, 5, 11, 12, 19].map(field) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (bitsPerPixel !== bytesPerPixel * 8 || bytesPerLine !== width * bytesPerPixel) {
    throw new Error(`${file} has ${bitsPerPixel} bits per pixel and ${bytesPerLine} bytes per line`);
  }
  const start = headerBytes + colors * colorBytes;
  return { width, height, pixels: dump.subarray(start, start + height * bytesPerLine) };
}

/**
 * Returns the smallest rectangle in `area` that contains every pixel of the colour; `null` if there are too few.
 * @param color as in CSS: `#00795A`
 */
export function findColor({ width, pixels }: ScreenPicture, area: Rectangle, color: string): Rectangle | null {
  const [red, green, blue] = [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));
  const isNear = (offset: number, component: number | undefined) =>
    Math.abs((pixels[offset] ?? 0) - (component ?? 0)) <= tolerance;
  const positions: { readonly x: number; readonly y: number }[] = [];
  for (let y = area.y; y < area.y + area.height; y += 1) {
    for (let x = area.x; x < area.x + area.width; x += 1) {
      const offset = (y * width + x) * bytesPerPixel;
      if (isNear(offset, blue) && isNear(offset + 1, green) && isNear(offset + 2, red)) positions.push({ x, y });
    }
  }
  if (positions.length < minPixels) return null;
  const [xs, ys] = [positions.map(({ x }) => x), positions.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left + 1, height: Math.max(...ys) - top + 1 };
}
