import { describe, expect, it } from 'vitest';
import { decideNavigation, isPermissionGranted, mayOpenExternally, type NavigationDecision } from './pagePolicy.ts';

const dashboardUrl = 'http://127.0.0.1:8000/';

describe('navigation', () => {
  const cases: readonly (readonly [string, boolean, NavigationDecision])[] = [
    ['http://127.0.0.1:8000/workflows/1', false, 'allow'],
    ['lab-manager://shell/index.html', false, 'allow'],
    ['http://127.0.0.1:8000/docs', true, 'open-external'],
    ['http://127.0.0.1:8000/help/troubleshooting.html#clocks', true, 'open-guide'],
    ['http://127.0.0.1:8001/help/troubleshooting.html', true, 'open-external'],
    ['lab-manager://shell/help/index.html', false, 'allow'],
    ['http://127.0.0.1:8001/', false, 'open-external'],
    ['http://localhost:8000/', false, 'open-external'],
    ['https://example.org/', false, 'open-external'],
    ['https://example.org/', true, 'open-external'],
    ['mailto:lab@example.org', false, 'open-external'],
    ['http://127.0.0.1:8000@example.org/', false, 'deny'],
    ['https://user:secret@example.org/', false, 'deny'],
    ['file:///etc/passwd', false, 'deny'],
    ['javascript:alert(1)', false, 'deny'],
    ['data:text/html,hello', false, 'deny'],
    ['blob:http://127.0.0.1:8000/x', true, 'deny'],
    ['lab-manager://other/index.html', false, 'deny'],
    ['ssh://bench', false, 'deny'],
    ['not an address', false, 'deny'],
  ];
  it.each(cases)('navigation to %s (new window: %s) is decided as %s', (url, newWindow, decision) => {
    expect(decideNavigation({ url, newWindow, dashboardUrl })).toBe(decision);
  });

  it('the dashboard’s address is opened in the browser before the service listens', () => {
    expect(decideNavigation({ url: dashboardUrl, newWindow: false, dashboardUrl: null })).toBe('open-external');
  });

  it.each<[string, string, NavigationDecision]>([
    ['http://lab-pc/manager', '/manager/help/index.html', 'open-guide'],
    ['http://lab-pc/manager/', '/manager/help/index.html', 'open-guide'],
    ['http://lab-pc/manager/', '/help/index.html', 'open-external'],
    ['http://lab-pc/manager/', '/manager/workflows', 'open-external'],
  ])('a lab manager at %s opens only its guide in the app: %s', (base, path, decision) => {
    const url = new URL(path, base).href;
    expect(decideNavigation({ url, newWindow: true, dashboardUrl: base })).toBe(decision);
  });
});

it.each([
  ['http://lab-pc:8001/docs', true],
  ['https://example.org/', true],
  ['mailto:lab@example.org', true],
  ['javascript:alert(1)', false],
  ['file:///etc/passwd', false],
  ['smb://server/share', false],
  ['http://me:secret@lab-pc/', false],
  ['not an address', false],
])('mayOpenExternally(%s) is %s', (url, may) => {
  expect(mayOpenExternally(url)).toBe(may);
});

describe('permissions', () => {
  const origins = ['http://127.0.0.1:8000', 'lab-manager://shell'];

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
  ])('the permission %s for %s is granted: %s', (permission, origin, granted) => {
    expect(isPermissionGranted(permission, origin, origins)).toBe(granted);
  });
});
