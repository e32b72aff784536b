import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expandHome, madsciDirectory } from './discovery.ts';
import { makeTempFolder, type TempFolder } from '../../fixtures/tempFolder.ts';

let folder: TempFolder;
beforeEach(async () => {
  folder = await makeTempFolder();
});
afterEach(() => folder.remove());

it.each([
  ['~', '/home/u'],
  ['~/a', join('/home/u', 'a')],
  ['~other/a', '~other/a'],
  ['a/~', 'a/~'],
])('expandHome of %s is %s', (path, expected) => {
  expect(expandHome(path, '/home/u')).toBe(expected);
});

describe('madsciDirectory', () => {
  it.each<[string, string[], string]>([
    ['the nearest existing one', ['home/lab/.madsci/', 'home/.madsci/'], 'home/lab/.madsci'],
    ['the one above a .git', ['home/lab/a/.git/', 'home/lab/.madsci/'], 'home/lab/.madsci'],
    ['otherwise the one beside the nearest .git', ['home/lab/a/.git/', 'home/lab/.git/'], 'home/lab/a/.madsci'],
    ['otherwise that of the home directory', [], 'home/.madsci'],
    ['never the one above the home directory', ['.madsci/'], 'home/.madsci'],
    ['not a file of that name', ['home/lab/.madsci'], 'home/.madsci'],
  ])('is %s', async (_, paths, expected) => {
    await folder.write({ 'home/lab/a/b/': '', ...Object.fromEntries(paths.map((path) => [path, ''])) });
    const start = join(folder.path, 'home/lab/a/b');
    expect(await madsciDirectory(start, join(folder.path, 'home'))).toBe(join(folder.path, expected));
  });

  it('is never the one above a home directory that is a link', async () => {
    await folder.write({ 'data/.madsci/': '', 'data/home/lab/': '' });
    const home = join(folder.path, 'linked-home');
    await symlink(join(folder.path, 'data/home'), home);
    expect(await madsciDirectory(join(folder.path, 'data/home/lab'), home)).toBe(join(home, '.madsci'));
  });

  it('is that of the home directory without a start directory', async () => {
    expect(await madsciDirectory(null, '/home/u')).toBe(join('/home/u', '.madsci'));
  });
});
