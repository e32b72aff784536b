import { describe, expect, it } from 'vitest';
import { classifyPath, reservedNames } from './paths.ts';

describe('classifyPath', () => {
  it.each([
    // pages
    ['/', 'page'],
    ['/lab', 'page'],
    ['/workflows/abc', 'page'],
    ['/lab/', 'page'],
    ['//', 'page'],
    ['/Context', 'page'],
    ['/contexts', 'page'],
    ['/a/context', 'page'],
    ['/caf%C3%A9', 'page'],
    ['/v1.x y', 'page'],
    // The page of many labs, next to its endpoint.
    ['/fleet', 'page'],
    ['/fleet/', 'page'],
    ['/fleet/x', 'reserved'],
    ['/fleet/labs', 'reserved'],
    // assets
    ['/favicon.ico', 'asset'],
    ['/assets/index-D_5CzI00.js', 'asset'],
    ['/assets%2Findex.js', 'asset'],
    ['/a.b/c.webmanifest', 'asset'],
    ['/openapi.jsons', 'asset'],
    // the API's names, in any spelling
    ['/context', 'reserved'],
    ['/context/', 'reserved'],
    ['//context', 'reserved'],
    ['/%63ontext', 'reserved'],
    ['/context/x', 'reserved'],
    ['/lab_health/history', 'reserved'],
    ['/docs/swagger-ui.css', 'reserved'],
    ['/openapi.json', 'reserved'],
    ['\\context', 'reserved'],
    // path traversal and dotfiles
    ['/.env', 'hidden'],
    ['/.vite/manifest.json', 'hidden'],
    ['/a/.git/config', 'hidden'],
    ['/../etc/passwd', 'hidden'],
    ['/..', 'hidden'],
    ['/%2e%2e/etc/passwd', 'hidden'],
    ['/..%2f..%2fetc/passwd', 'hidden'],
    ['/a%5C..%5Cb', 'hidden'],
    ['/a\\b', 'hidden'],
    ['/a%5Cb.js', 'hidden'],
    // undecodable, or with control characters
    ['/%', 'malformed'],
    ['/%zz', 'malformed'],
    ['/%c3%28', 'malformed'],
    ['/a%00.js', 'malformed'],
    ['/a%0Ab', 'malformed'],
    ['/a%7F', 'malformed'],
  ])('classifies %s as %s', (path, kind) => {
    expect(classifyPath(path).kind).toBe(kind);
  });

  it.each(reservedNames.filter((name) => name !== 'fleet'))('classifies %s as reserved with its name', (name) => {
    for (const path of [`/${name}`, `/${name}/`, `/${name}/below/it.js`]) {
      expect(classifyPath(path)).toEqual({ kind: 'reserved', name });
    }
  });
});
