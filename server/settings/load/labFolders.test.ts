import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useManualClock } from '#api/fixtures/manualClock.ts';
import { makeTempFolder, type TempFolder } from '../../fixtures/tempFolder.ts';
import { findLabFolders, handleFolderRequest, type SearchLimits } from './labFolders.ts';

let folder: TempFolder;
const limits: SearchLimits = { depth: 3, folders: 100, found: 10, entries: 100, ms: 3000, folderMs: 500 };
const place = (path: string) => join(folder.path, path);
const find = async (changes: Partial<SearchLimits> = {}, roots = [place('home')]) => {
  const found = await findLabFolders(folder.inputs(), roots, { ...limits, ...changes });
  return found.map(({ path, labName }) => [path.slice(folder.path.length + 1), labName]);
};

beforeEach(async () => {
  // The time of the search does not depend on the speed of the machine.
  useManualClock();
  folder = await makeTempFolder({
    'home/.config/lab-manager/lab.settings.yaml': 'lab_manager_name: Mine\n',
    'home/bench/settings.yaml': 'lab_manager_name: Bench\n',
    'home/bench/config/lab.settings.yaml': 'lab_log_level: INFO\n',
    'home/Documents/labs/optics/.env': 'EVENT_SERVER_URL=http://lab-pc:8001/\n',
    'home/website/.env': 'PASSWORD=x\n',
    'home/broken/settings.yaml': 'lab_server_url: nowhere\n',
    'home/.hidden/settings.yaml': 'lab_manager_name: Hidden\n',
    'home/a/b/c/d/settings.yaml': 'lab_manager_name: Deep\n',
    'outside/settings.yaml': 'lab_manager_name: Outside\n',
  });
});
afterEach(() => folder.remove());

describe('findLabFolders', () => {
  const all = [
    ['home/bench', 'Bench'],
    ['home/broken', null],
    ['home/Documents/labs/optics', null],
  ];

  it('finds the folders with a lab’s settings and the name of each, without hidden, deeper and unrelated ones', async () => {
    expect((await find()).toSorted()).toEqual(all.toSorted());
  });

  it('follows no link', async () => {
    await symlink(place('outside'), place('home/link'));
    await symlink(place('home'), place('home/loop'));
    expect(await find()).toHaveLength(all.length);
  });

  it.each<[string, Partial<SearchLimits>, number]>([
    ['the depth', { depth: 0 }, 0],
    ['the number of folders read', { folders: 1 }, 0],
    ['the number of results', { found: 1 }, 1],
    ['the entries of a folder', { entries: 0 }, 0],
    ['the time', { ms: 0 }, 0],
  ])('limits %s', async (_name, changes, count) => {
    expect(await find(changes)).toHaveLength(count);
  });

  it('uses the name that the folder has when it is chosen, and ignores those of its parents', async () => {
    await folder.write({
      'home/labs/settings.yaml': 'lab_manager_name: Shared A\nlab_watch_interval: 7\n',
      'home/labs/bench/settings.yaml': 'lab_manager_name: Bench B\n',
      'home/labs/script/.env': 'FOO=1\n',
    });
    expect(await find({}, [place('home/labs')])).toEqual([
      ['home/labs', 'Shared A'],
      ['home/labs/bench', 'Bench B'],
    ]);
  });

  it.each<[string, string, string, boolean]>([
    ['an unreadable shared file', 'settings.json', '{', false],
    ['an unreadable file of a lab', 'lab.settings.json', '{', true],
    ['the name of any program', 'settings.yaml', 'name: website\nlog_level: INFO\n', false],
    ['the server of any program', '.env', 'SERVER_URL=http://localhost:3000\n', false],
    ['the name of madsci init', 'settings.yaml', 'lab_name: bench\n', true],
    ['an invalid address of a manager', 'settings.yaml', 'event_server_url: nowhere\n', true],
  ])('detects whether a folder with %s is that of a lab', async (_name, file, text, isLab) => {
    await folder.write({ [`home/case/${file}`]: text });
    expect(await find({}, [place('home/case')])).toHaveLength(isLab ? 1 : 0);
  });

  it('ignores roots that do not exist, and lists a folder below two roots once', async () => {
    const roots = [place('none'), place('home/bench'), place('home/bench'), place('home')];
    expect((await find({}, roots)).filter(([, name]) => name === 'Bench')).toHaveLength(1);
  });
});

describe('the list of a folder', () => {
  const list = (path: string) => handleFolderRequest(folder.inputs(), { kind: 'list-folder', path: place(path) });

  it('contains folders, links to folders, the settings files and the lab', async () => {
    await symlink(place('outside'), place('home/bench/link'));
    expect(await list('home/bench')).toEqual({
      path: place('home/bench'),
      parent: place('home'),
      folders: ['config', 'link'],
      files: ['settings.yaml'],
      lab: { path: place('home/bench'), labName: 'Bench' },
    });
    expect(await list('home/website')).toMatchObject({ files: ['.env'], lab: null });
    expect(await list('home/bench/settings.yaml')).toMatchObject({ path: place('home/bench') });
  });

  it('fails with the reason for a folder that can’t be read', async () => {
    await expect(list('none')).rejects.toThrow(`${place('none')} does not exist`);
  });
});
