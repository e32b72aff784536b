import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import type { Log } from '../logging/log.ts';
import { silentLog } from '../logging/log.ts';
import { changeMaintenance, MaintenanceList, readMaintenance } from './maintenanceFile.ts';

const hour = 3_600_000;
let folder: TempFolder;
let path: string;
let list: MaintenanceList | null = null;
beforeEach(async () => {
  folder = await makeTempFolder();
  path = join(folder.path, 'state', 'maintenance-8000.json');
});
afterEach(async () => {
  await list?.stop();
  list = null;
  await folder.remove();
});

async function openFile(onChange: () => void = () => undefined, log: Log = silentLog): Promise<MaintenanceList> {
  list = new MaintenanceList(onChange, log);
  await list.start(path);
  return list;
}
const ids = (retained: MaintenanceList) => retained.entries.map(({ id }) => id);
const arm = (until: number | null = Date.now() + hour) => ({ kind: 'node' as const, id: 'arm', until });

it('the maintenance file survives a restart and is private to its owner', async () => {
  const first = await openFile();
  await first.change(arm());
  await first.stop();
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(ids(await openFile())).toEqual(['arm']);
});

it('a change by the command line is applied while the service runs', async () => {
  const changes = vi.fn();
  const retained = await openFile(changes);
  await changeMaintenance(path, { kind: 'manager', id: 'data', until: Date.now() + hour });
  await vi.waitFor(() => expect(ids(retained)).toEqual(['data']), { timeout: 10_000, interval: 50 });
  expect(changes).toHaveBeenCalledTimes(1);
});

it('a change is merged with the file, regardless of the process that wrote it', async () => {
  const retained = await openFile();
  await changeMaintenance(path, { kind: 'manager', id: 'data', until: Date.now() + hour });
  await retained.change(arm());
  expect(ids(retained).toSorted()).toEqual(['arm', 'data']);
  expect((await readMaintenance(path)).entries).toEqual(retained.entries);
});

describe('a damaged maintenance file', () => {
  it.each(['{', '[]', '{"version":2,"maintenance":[]}', '{"version":1,"maintenance":[{"kind":"node","id":"a"}]}'])(
    'is reported, ends nothing and is not overwritten: %s',
    async (text) => {
      const retained = await openFile();
      await retained.change(arm());
      await writeFile(path, text);
      await expect(retained.change(arm(Date.now() + 2 * hour))).rejects.toThrow(/can't be read.*Remove it/);
      expect(ids(retained)).toEqual(['arm']);
      expect(await readFile(path, 'utf8')).toBe(text);
    },
  );

  it('is logged once and replaced after a user removes it', async () => {
    await mkdir(join(folder.path, 'state'));
    await writeFile(path, '{');
    const warn = vi.fn();
    const retained = await openFile(undefined, { ...silentLog, warn });
    expect(warn).toHaveBeenCalledTimes(1);
    await writeFile(path, '{"version":1,"maintenance":[]}');
    await retained.change(arm());
    expect(ids(retained)).toEqual(['arm']);
  });
});

it('the maintenance file reports that its folder can’t be created', async () => {
  await writeFile(join(folder.path, 'state'), '');
  const retained = await openFile();
  await expect(retained.change(arm())).rejects.toThrow('a file exists in place of the folder');
  expect(ids(retained)).toEqual([]);
});

it('the maintenance file emits a change when a maintenance window ends by itself', async () => {
  const changes = vi.fn();
  const restarted = await openFile(changes);
  await restarted.change(arm(Date.now() + 300));
  expect(changes).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(changes).toHaveBeenCalledTimes(2), { timeout: 10_000, interval: 50 });
});

it('the maintenance file leaves no temporary file', async () => {
  const restarted = await openFile();
  await restarted.change(arm());
  await restarted.change(arm(null));
  expect(await readdir(join(folder.path, 'state'))).toEqual(['maintenance-8000.json']);
});
