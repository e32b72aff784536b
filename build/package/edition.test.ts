import { expect, test } from 'vitest';
import { editionVersion } from './edition.mjs';

const official = { version: '45.4.1', isFallback: false };
const fallback = { version: '33.2.1', isFallback: true };

test.each([
  [official, undefined, '1.2.3'],
  [official, '1', '1.2.3'],
  [fallback, undefined, '1.2.3-fallback-runtime'],
  [fallback, '', '1.2.3-fallback-runtime'],
])('%j with RELEASE=%s is %s', (runtime, release, expected) => {
  expect(editionVersion('1.2.3', runtime, release)).toBe(expected);
});

test('a release refuses the fallback runtime', () => {
  expect(() => editionVersion('1.2.3', fallback, '1')).toThrow('only the fallback (33.2.1) can be had here');
});
