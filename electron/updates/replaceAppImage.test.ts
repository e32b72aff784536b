import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { describeFailure, replaceAppImage } from './replaceAppImage.ts';

const sha512 = (text: string) => createHash('sha512').update(text).digest('base64');

// AppImages run on Linux only: Windows has no executable bit.
it.skipIf(process.platform === 'win32')(
  'replaceAppImage puts the new file executable in the place of the old one',
  async () => {
    await using folder = await makeTempFolder({ 'lab-manager.AppImage': 'old', 'cache/new.AppImage': 'new' });
    const target = join(folder.path, 'lab-manager.AppImage');
    await chmod(target, 0o650);
    await replaceAppImage(join(folder.path, 'cache/new.AppImage'), sha512('new'), target);
    expect(await readFile(target, 'utf8')).toBe('new');
    expect((await stat(target)).mode & 0o777).toBe(0o750);
  },
);

it.each([
  [
    'was changed since its verification',
    'changed',
    sha512('new'),
    /no longer the package in the feed.* Download it again$/,
  ],
  ['is missing', null, sha512('new'), /is missing\. Download it again$/],
])('replaceAppImage changes nothing when the new file %s', async (_name, text, hash, expected) => {
  await using folder = await makeTempFolder({ 'lab-manager.AppImage': 'old', ...(text === null ? {} : { new: text }) });
  const target = join(folder.path, 'lab-manager.AppImage');
  await chmod(target, 0o700);
  await expect(replaceAppImage(join(folder.path, 'new'), hash, target)).rejects.toThrow(expected);
  expect(await readFile(target, 'utf8')).toBe('old');
  expect((await readdir(folder.path)).filter((name) => name.endsWith('.new'))).toEqual([]);
});

it.each([
  ['EACCES', /^you may not write to \/apps\. Move the AppImage/],
  ['EROFS', /^you may not write to \/apps\. Move the AppImage/],
  ['ENOSPC', /^the disk is full\. Free some space/],
  ['ENOENT', /^that folder no longer exists\. Start the AppImage/],
  ['EIO', /^input\/output error$/],
])('describeFailure describes %s', (code, expected) => {
  const error = Object.assign(new Error('input/output error'), { code });
  expect(describeFailure(error, import.meta.filename, '/apps/lab-manager.AppImage')).toMatch(expected);
});

it.skipIf(process.platform === 'win32')('replaceAppImage replaces a link, not its target', async () => {
  await using folder = await makeTempFolder({ 'real.AppImage': 'old' });
  const link = join(folder.path, 'lab-manager.AppImage');
  await symlink(join(folder.path, 'real.AppImage'), link);
  await writeFile(join(folder.path, 'new'), 'new');
  await replaceAppImage(join(folder.path, 'new'), sha512('new'), link);
  expect([await readFile(link, 'utf8'), await readFile(join(folder.path, 'real.AppImage'), 'utf8')]).toEqual([
    'new',
    'old',
  ]);
});
