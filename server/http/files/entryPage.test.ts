import { describe, expect, it } from 'vitest';
import { entryPageAt } from './entryPage.ts';

const html = '<link href="./a.css"><script src="./assets/x.js"></script><a href="https://x/">./</a><img src="/b.png">';

describe('entryPageAt', () => {
  it.each([
    [1, '../'],
    [3, '../../../'],
  ])('prefixes relative links %i levels down with %s', (depth, up) => {
    expect(entryPageAt(html, depth)).toBe(
      `<link href="${up}a.css"><script src="${up}assets/x.js"></script><a href="https://x/">./</a><img src="/b.png">`,
    );
  });
});
