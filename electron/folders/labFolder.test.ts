import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chooserStart } from './labFolder.ts';

const here = import.meta.dirname;

it.each([
  ['the chosen lab folder', here, here],
  ['the home folder before one was chosen', null, '/home/labuser'],
  ['the home folder when the lab folder is gone', join(here, 'no-such-folder'), '/home/labuser'],
  ['the home folder when the lab folder is a file', join(here, 'labFolder.ts'), '/home/labuser'],
])('a chooser opens in %s', (_name, folder, expected) => {
  expect(chooserStart(folder, '/home/labuser')).toBe(expected);
});
