import { describe, expect, it } from 'vitest';
import { listPortsFrom } from './listen.ts';

describe('listPortsFrom', () => {
  it.each([
    [8010, 8010, 8209],
    [65_530, 65_530, 1217],
    [65_535, 65_535, 1222],
    [65_545, 1024, 1223],
  ])('returns for %i 200 different ports, the first %i and the last %i', (start, first, last) => {
    const ports = listPortsFrom(start);
    expect([ports.length, new Set(ports).size, ports[0], ports.at(-1)]).toEqual([200, 200, first, last]);
    for (const port of ports) expect(port >= 1024 && port <= 65_535).toBe(true);
  });
});
