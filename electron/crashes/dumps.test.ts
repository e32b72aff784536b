import { readdir, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { discardDumps, maxDumps, listDumps, pruneDumps } from './dumps.ts';

it('listDumps lists the dumps of every folder, newest first, and pruneDumps keeps the newest', async () => {
  const names = Array.from({ length: maxDumps + 3 }, (_, index) => `${index}.dmp`);
  await using folder = await makeTempFolder({
    ...Object.fromEntries(names.map((name) => [`pending/${name}`, 'memory'])),
    'completed/sent.dmp': 'more memory',
    'pending/0.meta': 'x',
    'settings.dat': 'x',
  });
  for (const [index, name] of names.entries()) await utimes(join(folder.path, 'pending', name), 0, 1000 + index);
  // Windows has no such target, and creates no dangling links.
  const links = process.platform === 'win32' ? [] : ['link.dmp'];
  for (const link of links) await symlink('/etc/hostname', join(folder.path, 'pending', link));
  const listed = await listDumps(folder.path);
  expect(listed.slice(0, 2)).toEqual([
    expect.objectContaining({ name: 'sent.dmp', bytes: 11 }),
    expect.objectContaining({ name: `${maxDumps + 2}.dmp`, at: '1970-01-01T00:16:52.000Z' }),
  ]);
  expect(listed).toHaveLength(maxDumps + 4);
  await pruneDumps(folder.path);
  expect(await listDumps(folder.path)).toHaveLength(maxDumps);
  expect(await readdir(join(folder.path, 'pending'))).toEqual(expect.arrayContaining(['0.meta', ...links]));
});

it('listDumps returns an empty list for a missing folder', async () => {
  expect(await listDumps('/nowhere')).toEqual([]);
});

it('discardDumps removes only dumps that were written after the given time', async () => {
  await using folder = await makeTempFolder({ 'pending/old.dmp': 'memory', 'completed/new.dmp': 'memory' });
  await utimes(join(folder.path, 'pending', 'old.dmp'), 0, 1000);
  await discardDumps(folder.path, Date.now() - 60_000);
  expect((await listDumps(folder.path)).map(({ name }) => name)).toEqual(['old.dmp']);
});
