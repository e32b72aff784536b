import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { charactersOf, pageFont, rangeOf } from './font.ts';
import { repository } from './licences.ts';

describe('the characters of a font', () => {
  it.each([
    ['U+0041-0043', 'ABC'],
    ['U+41, u+2212', 'A−'],
    ['U+1F600', '😀'],
  ])('the characters of the range %s are %s', (range, characters) => {
    expect(charactersOf(range)).toBe(characters);
  });

  it('are rejected for an invalid range', () => {
    expect(() => charactersOf('U+00??')).toThrow('U+00?? is no range');
  });

  const sheet =
    '@font-face{src:url(./a-ext.woff2);unicode-range:U+100-200}@font-face{src:url(./a.woff2);unicode-range: U+41-5A;}';
  it('are read from the font face of the file', () => {
    expect(rangeOf(sheet, '/a.woff2')).toBe('U+41-5A');
    expect(() => rangeOf(sheet, '/b.woff2')).toThrow('no face with /b.woff2');
  });
});

describe('the page’s font', () => {
  it('is a WOFF2 file at least a quarter smaller than its source', async () => {
    const path = await pageFont(repository);
    const made = await readFile(path);
    expect(made.subarray(0, 4).toString('latin1')).toBe('wOF2');
    const whole = await stat(
      join(repository, 'node_modules', '@fontsource-variable/inter', 'files', 'inter-latin-wght-normal.woff2'),
    );
    expect(made.byteLength).toBeLessThan(whole.size * 0.75);
  });
});
