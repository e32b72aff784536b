import { describe, expect, it } from 'vitest';
import { rewriteEntryPage, nameManifest } from './entryPage.ts';

const html = '<link href="./a.css"><script src="./assets/x.js"></script><a href="https://x/">./</a><img src="/b.png">';

describe('rewriteEntryPage', () => {
  it.each([
    [1, '../'],
    [3, '../../../'],
  ])('prefixes relative links %i levels down with %s', (depth, up) => {
    expect(rewriteEntryPage(html, depth)).toBe(
      `<link href="${up}a.css"><script src="${up}assets/x.js"></script><a href="https://x/">./</a><img src="/b.png">`,
    );
  });
});

describe('nameManifest', () => {
  const manifest = '{"name":"Lab Manager","short_name":"Lab Manager","start_url":"./"}';

  it('gives the installed app the name of the lab', () => {
    expect(JSON.parse(nameManifest(manifest, 'Bench "3"'))).toEqual({
      name: 'Bench "3"',
      short_name: 'Bench "3"',
      start_url: './',
    });
  });

  it('keeps the name of the product for a lab without a name', () => {
    expect(nameManifest(manifest, null)).toBe(manifest);
  });
});
