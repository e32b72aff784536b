import { expect, it } from 'vitest';
import { findFreePort, listPortsFrom } from './listen.ts';

it.each([65_530, 65_545])('findFreePort(%i) returns a port of listPortsFrom', async (start) => {
  expect(listPortsFrom(start)).toContain(await findFreePort(start));
});
