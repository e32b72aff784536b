/** Folders on disks and servers that do not respond. */
import type * as fs from 'node:fs/promises';
import { symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useManualClock, type ManualClock } from '#api/fixtures/manualClock.ts';
import { makeTempFolder, type TempFolder } from '../../fixtures/tempFolder.ts';
import { findLabFolders, handleFolderRequest } from './labFolders.ts';

const { hanging, mounts } = vi.hoisted(() => ({ hanging: new Set<() => void>(), mounts: { text: '' } }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>();
  /** A call for a path with this name responds when the test ends. */
  const hang = (path: unknown) =>
    basename(String(path)).startsWith('dead')
      ? new Promise<void>((resolve) => hanging.add(resolve))
      : Promise.resolve();
  return {
    ...real,
    readFile: async (...input: Parameters<typeof fs.readFile>) =>
      input[0] === '/proc/self/mountinfo' ? mounts.text : real.readFile(...input),
    opendir: async (...input: Parameters<typeof fs.opendir>) => {
      await hang(input[0]);
      return real.opendir(...input);
    },
    stat: async (path: string) => {
      await hang(path);
      return real.stat(path);
    },
  };
});

let folder: TempFolder;
let clock: ManualClock;
const place = (path: string) => join(folder.path, path);
const list = (path: string) => handleFolderRequest(folder.inputs(), { kind: 'list-folder', path: place(path) });
/** Waits for the read that hangs, then for its timeout. All other reads take no time. */
async function passTimeout(count: number, ms: number): Promise<void> {
  await expect.poll(() => hanging.size).toBe(count);
  clock.advance(ms);
}
const respond = () => {
  for (const resolve of hanging) resolve();
  hanging.clear();
};

beforeEach(async () => {
  mounts.text = '';
  clock = useManualClock();
  folder = await makeTempFolder({
    'home/dead/': '',
    'home/dead-too/': '',
    'home/bench/settings.yaml': 'lab_manager_name: Bench\n',
    'home/files/part/': '',
  });
});
afterEach(async () => {
  respond();
  await folder.remove();
});

it('the search omits only a folder that does not respond', async () => {
  const search = findLabFolders(folder.inputs(), [place('home/dead'), place('home/bench')]);
  await passTimeout(1, 500);
  expect(await search).toEqual([{ path: place('home/bench'), labName: 'Bench' }]);
});

it('the search ends when two folders do not respond, because each holds a thread', async () => {
  const search = findLabFolders(folder.inputs(), ['home/dead', 'home/dead-too', 'home/bench'].map(place));
  for (const count of [1, 2]) await passTimeout(count, 500);
  expect(await search).toEqual([]);
});

it('the list of a folder omits only links that do not respond, and leaves the others unread after two of them', async () => {
  for (const name of ['dead-1', 'dead-2', 'dead-3']) await symlink(place('home/bench'), place(`home/files/${name}`));
  const listing = list('home/files');
  for (const count of [1, 2]) await passTimeout(count, 500);
  expect(await listing).toMatchObject({ folders: ['part'] });
  expect(hanging.size).toBe(2);
});

it('the list of another folder is refused until the previous one responds', async () => {
  const listing = expect(list('home/dead')).rejects.toThrow('no response within 5 s');
  await passTimeout(1, 5000);
  await listing;
  await expect(list('home/bench')).rejects.toThrow('Another folder does not respond');
  respond();
  await expect.poll(() => list('home/bench').catch(() => null)).toMatchObject({ lab: { labName: 'Bench' } });
});

it('the list of a folder omits links to another server without a read of them', async () => {
  mounts.text = `1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:41 / ${place('home/dead')} rw - nfs4 data:/ rw\n`;
  await symlink(place('home/dead'), place('home/files/dead'));
  await symlink(place('home/bench'), place('home/files/local'));
  expect(await list('home/files')).toMatchObject({ folders: ['local', 'part'] });
});
