import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { createTestModel } from '../fixtures/testModel.ts';
import type { Log } from '../logging/log.ts';
import { silentLog } from '../logging/log.ts';
import { activeAt, plannedAt } from './entries.ts';
import { changeMaintenance, MaintenanceList, readMaintenance } from './maintenanceFile.ts';

const hour = 3_600_000;
let folder: TempFolder;
let path: string;
let list: MaintenanceList | null = null;
let lab = createTestModel();
beforeEach(async () => {
  folder = await makeTempFolder();
  path = join(folder.path, 'state', 'maintenance-8000.json');
});
afterEach(async () => {
  await list?.stop();
  lab.stop();
  list = null;
  await folder.remove();
});

/** Opens the file for a new model of the lab. @param onChange called after each change of the windows */
async function openFile(onChange: () => void = () => undefined, log: Log = silentLog): Promise<MaintenanceList> {
  lab.stop();
  lab = createTestModel();
  lab.start();
  list = new MaintenanceList(lab.maintenance, log);
  await list.start(path);
  let isFirst = true;
  lab.windows.subscribe(() => (isFirst ? (isFirst = false) : onChange()));
  return list;
}
const ids = () => lab.maintenance.value.entries.map(({ id }) => id);
const arm = (until: number | null = Date.now() + hour) => ({ kind: 'node' as const, id: 'arm', until });

it('the maintenance file survives a restart and is private to its owner', async () => {
  const first = await openFile();
  await first.change(arm());
  await first.stop();
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  await openFile();
  expect(ids()).toEqual(['arm']);
});

it('a change by the command line is applied while the service runs', async () => {
  const time = useManualClock(Date.now());
  const changes = vi.fn();
  await openFile(changes);
  await changeMaintenance(path, { kind: 'manager', id: 'data', until: Date.now() + hour });
  await time.waitFor(() => expect(ids()).toEqual(['data']));
  expect(changes).toHaveBeenCalledTimes(1);
});

it('a change is merged with the file, regardless of the process that wrote it', async () => {
  const maintenanceList = await openFile();
  await changeMaintenance(path, { kind: 'manager', id: 'data', until: Date.now() + hour });
  await maintenanceList.change(arm());
  expect(ids().toSorted()).toEqual(['arm', 'data']);
  expect((await readMaintenance(path)).state).toEqual(lab.maintenance.value);
});

it('a recurring maintenance survives a restart, begins by itself and is reported', async () => {
  const time = useManualClock(new Date(2026, 2, 7, 12).getTime());
  const changes = vi.fn();
  const first = await openFile(changes);
  const every = { days: ['Sun' as const], at: '02:00', minutes: 60 };
  await first.change({ kind: 'manager', id: 'data', every });
  expect(changes).toHaveBeenCalledTimes(1);
  await first.stop();
  await openFile(changes);
  expect(plannedAt(lab.maintenance.value, time.now())).toMatchObject([{ id: 'data', every }]);
  changes.mockClear();
  time.setTime(new Date(2026, 2, 8, 2, 30).getTime());
  await time.waitFor(() => expect(changes).toHaveBeenCalledTimes(1));
  expect(activeAt(lab.maintenance.value, time.now())).toMatchObject([{ id: 'data' }]);
});

describe('a damaged maintenance file', () => {
  it.each(['{', '[]', '{"version":2,"maintenance":[]}', '{"version":1,"maintenance":[{"kind":"node","id":"a"}]}'])(
    'prevents changes, ends no maintenance and is not overwritten: %s',
    async (text) => {
      const maintenanceList = await openFile();
      await maintenanceList.change(arm());
      await writeFile(path, text);
      await expect(maintenanceList.change(arm(Date.now() + 2 * hour))).rejects.toThrow(/can't be read.*Remove it/);
      expect(ids()).toEqual(['arm']);
      expect(await readFile(path, 'utf8')).toBe(text);
    },
  );

  it('is logged once at the start, and changes are possible after a user replaces it', async () => {
    await mkdir(join(folder.path, 'state'));
    await writeFile(path, '{');
    const warn = vi.fn();
    const maintenanceList = await openFile(undefined, { ...silentLog, warn });
    expect(warn).toHaveBeenCalledTimes(1);
    await writeFile(path, '{"version":1,"maintenance":[]}');
    await maintenanceList.change(arm());
    expect(ids()).toEqual(['arm']);
  });
});

it('a change of maintenance fails when the folder of its file can’t be created', async () => {
  await writeFile(join(folder.path, 'state'), '');
  const maintenanceList = await openFile();
  await expect(maintenanceList.change(arm())).rejects.toThrow('a file exists in place of the folder');
  expect(ids()).toEqual([]);
});

it('a maintenance window that ends by itself is reported as a change', async () => {
  const time = useManualClock(Date.now());
  const changes = vi.fn();
  const maintenanceList = await openFile(changes);
  await maintenanceList.change(arm(time.now() + hour));
  expect(changes).toHaveBeenCalledTimes(1);
  await time.waitFor(() => expect(changes).toHaveBeenCalledTimes(2), { withinMs: hour + 1000, stepMs: 60_000 });
});

it('changes of maintenance leave no temporary file', async () => {
  const maintenanceList = await openFile();
  await maintenanceList.change(arm());
  await maintenanceList.change(arm(null));
  expect(await readdir(join(folder.path, 'state'))).toEqual(['maintenance-8000.json']);
});
