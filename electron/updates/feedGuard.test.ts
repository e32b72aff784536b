import { describe, expect, it } from 'vitest';
import { FeedGuard, maxListBytes, maxRedirects } from './feedGuard.ts';

const feed = 'https://files.example.org/lab-manager/';
const list = `${feed}latest-linux.yml`;
const createGuard = () => new FeedGuard(feed);
const contentLength = (bytes: number | string) => ({ 'Content-Length': [String(bytes)] });

/** Follows redirects to addresses of the feed. @returns how many of them were followed */
function follow(guard: FeedGuard, getAddress: (step: number) => string): number {
  let from = getAddress(0);
  for (let step = 1; step <= 20; step += 1) {
    const to = getAddress(step);
    guard.recordRedirect(from, to);
    if (!guard.allowsRequest(to)) return step - 1;
    from = to;
  }
  return 20;
}

describe('redirects of the feed', () => {
  it.each([
    ['to new addresses', (step: number) => `${feed}${step}`],
    ['in a circle', (step: number) => `${feed}${step % 2}`],
    ['to itself', () => list],
  ])('are followed at most five times %s', (_name, getAddress) => {
    const guard = createGuard();
    expect(follow(guard, getAddress)).toBe(maxRedirects);
    expect(guard.refusal).toBe('the feed redirects more than 5 times');
    guard.start();
    expect([guard.refusal, guard.allowsRequest(getAddress(0))]).toEqual([null, true]);
  });

  it.each([
    ['another host', 'https://other.example.org/latest-linux.yml'],
    ['another port', 'https://files.example.org:8443/lab-manager/latest-linux.yml'],
    ['plain http', 'http://files.example.org/lab-manager/latest-linux.yml'],
  ])('are rejected to %s', (_name, url) => {
    const guard = createGuard();
    expect(guard.allowsRequest(url)).toBe(false);
    expect(guard.refusal).toBe(
      `the feed redirects to ${new URL(url).origin}. If it has moved, set LAB_UPDATE_FEED to its new address`,
    );
  });

  it('are followed to another folder of the same origin', () => {
    expect(createGuard().allowsRequest('https://files.example.org/elsewhere/latest-linux.yml')).toBe(true);
  });
});

describe('the size limit of the feed', () => {
  it.each<[string, number, Record<string, string[]>, RegExp | null]>([
    ['a list', 200, contentLength(500), null],
    ['the longest list', 200, contentLength(maxListBytes), null],
    ['a longer list', 200, contentLength(maxListBytes + 1), /latest-linux\.yml has 1048577 bytes, and at most 1048576/],
    ['a list without a length', 200, {}, /does not state the length of latest-linux\.yml/],
    ['an invalid length', 200, contentLength('many'), /does not state the length/],
    ['a compressed list', 200, { ...contentLength(5), 'content-encoding': ['gzip'] }, /does not state the length/],
    ['a redirect', 302, {}, null],
    ['a missing file', 404, {}, null],
    ['an error', 500, {}, /the feed responds with HTTP 500/],
  ])('limits the body of %s', (_name, status, headers, reason) => {
    const guard = createGuard();
    expect(guard.allowsBody(list, status, headers)).toBe(reason === null);
    if (reason !== null) expect(guard.refusal).toMatch(reason);
  });

  it('limits the body of a package to the size in the list, even after redirects', () => {
    const guard = createGuard();
    const url = `${feed}lab-manager-2.0.0.AppImage`;
    guard.expectSize(url, 200_000_000);
    expect(guard.allowsBody(url, 200, contentLength(200_000_000))).toBe(true);
    guard.recordRedirect(url, `${feed}mirror/lab-manager-2.0.0.AppImage`);
    expect(guard.allowsBody(`${feed}mirror/lab-manager-2.0.0.AppImage`, 200, contentLength(200_000_001))).toBe(false);
    expect(guard.refusal).toBe('lab-manager-2.0.0.AppImage has 200000001 bytes, and the feed’s list states 200000000');
  });
});
