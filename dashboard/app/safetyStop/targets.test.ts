import { describe, expect, it } from 'vitest';
import { nodeAddress, readSeen, targetsOf } from './targets.ts';

describe('targets', () => {
  it('are the nodes of now and those seen before, the current address first', () => {
    const now = { arm: { node_url: 'http://bench:2000/' }, reader: { node_url: null } };
    const seen = { arm: 'http://old:2000/', reader: 'http://bench:2001/', gone: 'http://bench:2002/' };
    expect(targetsOf(now, seen, 'http://lab:8005/')).toEqual([
      { name: 'arm', url: 'http://bench:2000/' },
      { name: 'gone', url: 'http://bench:2002/' },
      { name: 'reader', url: 'http://bench:2001/' },
    ]);
  });

  it.each([
    ['http://localhost:2000/', 'http://lab-pc:8005/', 'http://lab-pc:2000/'],
    ['http://127.0.0.1:2000/arm/', 'http://127.0.0.1:8005/', 'http://127.0.0.1:2000/arm/'],
    ['http://bench:2000/', 'http://lab-pc:8005/', 'http://bench:2000/'],
    ['javascript:alert(1)', 'http://lab-pc:8005/', null],
    ['', 'http://lab-pc:8005/', null],
  ])('%s of the workcell at %s is %s', (url, workcell, address) => {
    expect(nodeAddress(url, workcell)).toBe(address);
  });

  it.each(['', 'null', '[1]', '{"a": 3}', '{"http://w/": {"arm": 7, "reader": "http://r/"}}'])(
    'whatever is in the browser’s store: %s',
    (text) => {
      const names = Object.values(readSeen(text)).flatMap(Object.keys);
      expect(names.every((name) => name === 'reader')).toBe(true);
    },
  );
});
