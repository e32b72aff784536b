import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { ensureCached, replaceCached } from './cache.mjs';

/** Writes `content` to a file of the folder. */
const fetchText = (content: string) => (folder: string) => {
  expect(readdirSync(folder)).toEqual([]);
  const path = join(folder, 'file');
  writeFileSync(path, content);
  return Promise.resolve(path);
};

it('the cache fetches a missing target and leaves no temporary folder', async () => {
  await using temporary = await makeTempFolder();
  const cache = join(temporary.path, 'cache');
  const target = join(cache, 'node-1', 'node.exe');
  expect(await ensureCached(target, fetchText('one'))).toBe(target);
  expect(readFileSync(target, 'utf8')).toBe('one');
  expect(readdirSync(join(cache, 'node-1'))).toEqual(['node.exe']);
});

it('the cache does not fetch an existing target again', async () => {
  await using temporary = await makeTempFolder();
  const target = join(temporary.path, 'file');
  await ensureCached(target, fetchText('one'));
  await ensureCached(target, fetchText('two'));
  expect(readFileSync(target, 'utf8')).toBe('one');
});

it('the cache replaces an incomplete folder by the fetched one', async () => {
  await using temporary = await makeTempFolder();
  const target = join(temporary.path, 'runtime');
  mkdirSync(target);
  writeFileSync(join(target, 'partial'), '');
  await replaceCached(target, async (folder) => {
    await fetchText('one')(folder);
    return folder;
  });
  expect(readdirSync(target)).toEqual(['file']);
});

it('the cache leaves no files behind when the download fails', async () => {
  await using temporary = await makeTempFolder();
  const cache = join(temporary.path, 'cache');
  const target = join(cache, 'file');
  const fetch = async (folder: string): Promise<string> => {
    await fetchText('part')(folder);
    throw new Error('no network');
  };
  await expect(ensureCached(target, fetch)).rejects.toThrow('no network');
  expect([existsSync(target), readdirSync(cache)]).toEqual([false, []]);
});
