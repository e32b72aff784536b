import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listCharacters, writePageFont, findUnicodeRange } from './font.ts';
import { repository } from './licences.ts';

describe('the characters of a font', () => {
  it.each([
    ['U+0041-0043', 'ABC'],
    ['U+41, u+2212', 'A−'],
    ['U+1F600', '😀'],
  ])('are listed for the range %s: %s', (range, characters) => {
    expect(listCharacters(range)).toBe(characters);
  });

  it('are rejected for an invalid range', () => {
    expect(() => listCharacters('U+00??')).toThrow('U+00?? is not a range');
  });

  const sheet =
    '@font-face{src:url(./a-ext.woff2);unicode-range:U+100-200}@font-face{src:url(./a.woff2);unicode-range: U+41-5A;}';
  it('are read from the font face of the file', () => {
    expect(findUnicodeRange(sheet, '/a.woff2')).toBe('U+41-5A');
    expect(() => findUnicodeRange(sheet, '/b.woff2')).toThrow('no face with /b.woff2');
  });
});

describe('the page’s font', () => {
  it('is a WOFF2 file that is at least a quarter smaller than its source', async () => {
    const path = await writePageFont(repository);
    const subset = await readFile(path);
    expect(subset.subarray(0, 4).toString('latin1')).toBe('wOF2');
    const original = await stat(
      join(repository, 'node_modules', '@fontsource-variable/inter', 'files', 'inter-latin-wght-normal.woff2'),
    );
    expect(subset.byteLength).toBeLessThan(original.size * 0.75);
  });
});
