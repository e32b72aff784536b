import { expect, it } from 'vitest';
import { isPermissionGranted } from './permissionPolicy.ts';

const own = ['http://127.0.0.1:8000', 'lab-manager://shell'];

it.each([
  ['clipboard-sanitized-write', 'http://127.0.0.1:8000', true],
  ['fullscreen', 'lab-manager://shell', true],
  ['clipboard-sanitized-write', 'http://127.0.0.1:8001', false],
  ['clipboard-sanitized-write', '', false],
  ['clipboard-read', 'http://127.0.0.1:8000', false],
  ['geolocation', 'http://127.0.0.1:8000', false],
  ['media', 'http://127.0.0.1:8000', false],
  ['notifications', 'http://127.0.0.1:8000', false],
  ['openExternal', 'http://127.0.0.1:8000', false],
])('%s for %s: %s', (permission, origin, granted) => {
  expect(isPermissionGranted(permission, origin, own)).toBe(granted);
});
