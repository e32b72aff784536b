import { describe, expect, it } from 'vitest';
import { isCrossOrigin } from './sameOrigin.ts';

describe('isCrossOrigin', () => {
  it.each([
    ['a client without browser headers', { host: 'lab-pc:8000' }, false],
    ['a page of this service', { host: 'lab-pc:8000', origin: 'http://lab-pc:8000' }, false],
    ['a page on the default port', { host: 'lab-pc', origin: 'http://lab-pc' }, false],
    ['a proxy that writes the default port', { host: 'lab-pc:443', origin: 'https://lab-pc' }, false],
    ['a page behind a proxy with TLS', { host: 'lab.example', origin: 'https://lab.example' }, false],
    ['an address that a person enters', { host: 'lab-pc', 'sec-fetch-site': 'none' }, false],
    ['a page of another host', { host: 'lab-pc', origin: 'http://evil.example' }, true],
    ['a page of another port', { host: 'lab-pc:8000', origin: 'http://lab-pc:8001' }, true],
    ['a page whose host starts like this one', { host: 'lab-pc', origin: 'http://lab-pc.evil.example' }, true],
    ['a page without an origin', { host: 'lab-pc', origin: 'null' }, true],
    ['an image of another site', { host: 'lab-pc', 'sec-fetch-site': 'cross-site' }, true],
    ['a sibling site', { host: 'lab-pc', 'sec-fetch-site': 'same-site' }, true],
    [
      'a Sec-Fetch-Site header that contradicts the origin',
      { host: 'lab-pc', origin: 'http://evil', 'sec-fetch-site': 'same-origin' },
      true,
    ],
    ['no Host', { origin: 'http://lab-pc' }, true],
    ['an invalid Host', { host: 'a b', origin: 'http://lab-pc' }, true],
  ])('returns for %s with %o: %s', (_name, headers, expected) => {
    expect(isCrossOrigin(headers)).toBe(expected);
  });
});
