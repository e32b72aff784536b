import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { discoverSettings, findStart, walkUp } from './discovery.ts';
import { formatProblem } from './problem.ts';
import { makeTempFolder, type TempFolder } from '../../fixtures/tempFolder.ts';

let folder: TempFolder;
beforeEach(async () => {
  folder = await makeTempFolder();
});
afterEach(() => folder.remove());

const at = (path: string) => join(folder.path, path);
const levels = (count: number) => Array.from({ length: count }, (_, index) => `l${index}`).join('/');

const userDirs = () => ({ homeDir: at('home'), userConfigDir: at('user') });

const find = async () =>
  (await discoverSettings({ dir: at('home/lab'), isExplicit: true }, userDirs())).foundFiles.map(({ path }) => path);

describe('walkUp', () => {
  it('returns the start directory and at most ten parents', async () => {
    await folder.write({ [`${levels(14)}/`]: '' });
    const walk = await walkUp(at(levels(14)), at('home'));
    expect(walk).toHaveLength(11);
    expect(walk.at(-1)).toBe(at(levels(4)));
  });

  it.each<[string, string, number]>([
    ['.git directory', 'home/lab/a/.git/', 2],
    ['.git file', 'home/lab/a/.git', 2],
    ['.madsci directory', 'home/lab/a/b/.madsci/', 1],
    ['home directory', 'home/x', 4],
  ])('ends after a %s', async (_, mark, length) => {
    await folder.write({ 'home/lab/a/b/': '', [mark]: '' });
    expect(await walkUp(at('home/lab/a/b'), at('home'))).toHaveLength(length);
  });

  it('does not end at a .madsci file', async () => {
    await folder.write({ 'home/lab/a/b/': '', 'home/lab/a/.madsci': '' });
    expect(await walkUp(at('home/lab/a/b'), at('home'))).toHaveLength(4);
  });
});

describe('discoverSettings', () => {
  it('reports files that are not read because their names have the wrong extension', async () => {
    await folder.write({
      'home/lab/lab.settings.yaml.txt': '',
      'home/lab/lab.settings.yaml': '',
      'home/lab/settings.yml': '',
      'home/context.settings.yml': '',
      'user/lab.settings.toml.txt': '',
    });
    const { foundFiles, problems } = await discoverSettings({ dir: at('home/lab'), isExplicit: true }, userDirs());
    expect(foundFiles.map(({ path }) => path)).toEqual([at('home/lab/lab.settings.yaml')]);
    expect(problems.map(formatProblem).toSorted()).toEqual([
      `${at('home/context.settings.yml')}: this file is not read; expected: the name context.settings.yaml; rename it`,
      `${at('home/lab/lab.settings.yaml.txt')}: this file is not read; expected: the name lab.settings.yaml; rename it`,
      `${at('user/lab.settings.toml.txt')}: this file is not read; expected: the name lab.settings.toml; rename it`,
    ]);
    expect(problems.every(({ severity }) => severity === 'warning')).toBe(true);
  });

  it('searches each file name separately, nearest first', async () => {
    await folder.write({ 'home/settings.yaml': '', 'home/lab/lab.settings.yaml': '', 'home/lab.settings.yaml': '' });
    expect(await find()).toEqual([at('home/settings.yaml'), at('home/lab/lab.settings.yaml')]);
  });

  it('searches the subfolders of the start after its parents', async () => {
    const order = ['home/lab/.env', 'home/.env', 'home/lab/managers/.env', 'home/lab/config/.env'];
    await folder.write(Object.fromEntries(order.map((path) => [path, ''])));
    for (const path of order) {
      expect(await find()).toEqual([at(path)]);
      await rm(at(path));
    }
  });

  it('ranks every file of the user configuration below every file of the lab', async () => {
    const files = ['user/settings.yaml', 'user/lab.env', 'home/lab/settings.yaml', 'home/lab/lab.settings.yaml'];
    await folder.write(Object.fromEntries(files.map((path) => [path, ''])));
    expect(await find()).toEqual(files.map(at));
  });

  it('ignores directories, `.yml` files, and `managers/` in a parent', async () => {
    await folder.write({ 'home/lab/.env/': '', 'home/lab/settings.yml': '', 'home/managers/lab.env': '' });
    expect(await find()).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(
    'reports a directory that cannot be entered: as an error if it was specified explicitly, else as a warning',
    async () => {
      const isRoot = process.getuid?.() === 0;
      await chmod(at('home/lab'), 0);
      if (isRoot) process.seteuid?.(65_534);
      try {
        const severities = async (isExplicit: boolean) => {
          const { problems } = await discoverSettings({ dir: at('home/lab'), isExplicit }, userDirs());
          return problems.filter(({ path }) => path === at('home/lab')).map(({ severity }) => severity);
        };
        expect(await severities(true)).toEqual(['error']);
        expect(await severities(false)).toEqual(['warning']);
      } finally {
        if (isRoot) process.seteuid?.(0);
        await chmod(at('home/lab'), 0o755);
      }
    },
  );

  it('watches every directory where a file could appear', async () => {
    const { watchedDirs } = await discoverSettings({ dir: at('home/lab'), isExplicit: true }, userDirs());
    expect(watchedDirs).toEqual(['home/lab', 'home', 'home/lab/managers', 'home/lab/config', 'user'].map(at));
  });
});

it.each(['a\0b', 'a\u{10ffff}b'])('findStart refuses a directory whose name no system accepts: %j', async (name) => {
  const { dir, problems } = await findStart(folder.inputs(), name);
  expect(dir).toBeNull();
  expect(problems).toMatchObject([{ severity: 'error', message: 'is not a path' }]);
});
