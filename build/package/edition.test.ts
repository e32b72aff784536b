import { expect, test } from 'vitest';
import { editionVersion } from './edition.mjs';

const official = { version: '45.4.1', origin: 'official' } as const;
const fallback = { version: '33.2.1', origin: 'fallback' } as const;
const ownRuntime = { version: '45.4.1', origin: 'own' } as const;

test.each([
  [official, undefined, '1.2.3'],
  [official, '1', '1.2.3'],
  [fallback, undefined, '1.2.3-fallback-runtime'],
  [fallback, '', '1.2.3-fallback-runtime'],
  [ownRuntime, undefined, '1.2.3-own-runtime'],
  [ownRuntime, '0', '1.2.3-own-runtime'],
])('the version of %j with RELEASE=%s is %s', (runtime, release, expected) => {
  expect(editionVersion('1.2.3', runtime, release)).toBe(expected);
});

test.each([
  [fallback, 'only the fallback (33.2.1) is available here'],
  [ownRuntime, 'not on the one (45.4.1) that ELECTRON_OVERRIDE_DIST_PATH names: unset it'],
])('a release build refuses the runtime %j', (runtime, reason) => {
  expect(() => editionVersion('1.2.3', runtime, '1')).toThrow(reason);
});
