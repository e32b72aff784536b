/**
 * The page's font, reduced to what the pages use: the Latin glyphs in the weights from regular to bold. The reduced file
 * has two thirds of the original size, and the font is the largest download besides the page itself.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';

const family = '@fontsource-variable/inter';
const source = 'files/inter-latin-wght-normal.woff2';
/** The weights that the style sheets use. */
const weights = { min: 400, max: 700 } as const;

/** Returns the characters of a `unicode-range` such as `U+0000-00FF,U+2212`. @throws if the range is invalid */
export function listCharacters(unicodeRange: string): string {
  const characters = unicodeRange.split(',').flatMap((range) => {
    const [, from, to = from] = /^U\+([\da-f]{1,6})(?:-([\da-f]{1,6}))?$/i.exec(range.trim()) ?? [];
    if (from === undefined || to === undefined) throw new Error(`${range} is not a range of characters`);
    const [first, last] = [Number.parseInt(from, 16), Number.parseInt(to, 16)];
    return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
  });
  return characters.join('');
}

/** Returns the `unicode-range` of the font face that uses `file`. @throws if no face uses it */
export function findUnicodeRange(styleSheet: string, file: string): string {
  const face = styleSheet.split('@font-face').find((part) => part.includes(file));
  const range = /unicode-range:\s*([^;}]+)/.exec(face ?? '')?.[1];
  if (range === undefined) throw new Error(`The style sheet of ${family} has no face with ${file}`);
  return range;
}

/**
 * Writes the reduced font to the cache.
 * @param root the folder that contains `node_modules/`
 * @returns the path of the font
 */
export async function writePageFont(root: string): Promise<string> {
  const folder = join(root, 'node_modules', family);
  const [font, styleSheet] = await Promise.all([
    readFile(join(folder, source)),
    readFile(join(folder, 'index.css'), 'utf8'),
  ]);
  const subset = await subsetFont(font, listCharacters(findUnicodeRange(styleSheet, source)), {
    targetFormat: 'woff2',
    variationAxes: { wght: weights },
  });
  const cacheDir = join(root, 'node_modules', '.cache', 'lab-manager');
  await mkdir(cacheDir, { recursive: true });
  const path = join(cacheDir, 'inter.woff2');
  await writeFile(path, subset);
  return path;
}
