import { expect, it } from 'vitest';
import { tryParseUrl } from './url.ts';

it('tryParseUrl returns the URL, and null for a text that is not one', () => {
  expect(tryParseUrl('http://lab-pc:8000/docs')?.host).toBe('lab-pc:8000');
  expect(tryParseUrl('docs', 'http://lab-pc:8000/')?.href).toBe('http://lab-pc:8000/docs');
  for (const text of ['', 'lab-pc', '/docs', 'http://', 'http://a b/']) expect(tryParseUrl(text)).toBe(null);
  expect(tryParseUrl(null, 'http://lab-pc:8000/')).toBe(null);
});

it('tryParseUrl returns a URL with an accented character after many calls, unlike URL.canParse of Node 20', () => {
  const hosts = Array.from({ length: 50_000 }, () => tryParseUrl('http://h\u00E9:1')?.hostname);
  expect(new Set(hosts)).toEqual(new Set(['xn--h-bga']));
});
