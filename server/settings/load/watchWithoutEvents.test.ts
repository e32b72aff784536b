import { EventEmitter } from 'node:events';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useManualClock, type ManualClock } from '#api/fixtures/manualClock.ts';
import { makeTempFolder, type TempFolder } from '../../fixtures/tempFolder.ts';
import { loadSettings } from './load.ts';
import { SettingsWatch } from './watch.ts';

const watchDirectory = vi.hoisted(() => vi.fn());
vi.mock('node:fs', async (importOriginal) => ({ ...(await importOriginal<object>()), watch: watchDirectory }));

let folder: TempFolder;
let watch: SettingsWatch;
let names: (string | null)[];
let time: ManualClock;

beforeEach(async () => {
  time = useManualClock(Date.now());
  folder = await makeTempFolder({ 'home/lab/lab.settings.yaml': 'manager_name: one\n' });
  names = [];
});
afterEach(async () => {
  await watch.stop();
  await folder.remove();
});

async function startWatch(): Promise<void> {
  const seen = names;
  watch = new SettingsWatch(folder.inputs(), {
    lastResult: await loadSettings(folder.inputs()),
    onChange: (result) => seen.push(result.ok ? result.settings.managerName : 'broken'),
    debounceMs: 20,
    pollMs: 50,
  });
  await watch.ready;
}

const waitForNames = (expected: readonly (string | null)[]) =>
  time.waitFor(() => expect(names).toEqual(expected), { withinMs: 3000, stepMs: 20 });

it('the settings watch reads directories that cannot be watched at each poll', async () => {
  watchDirectory.mockImplementation(() => {
    throw new Error('ENOSPC: no more watchers');
  });
  await startWatch();
  await folder.write({ 'home/lab/lab.settings.yaml': 'manager_name: two\n' });
  await waitForNames(['two']);
});

it.each([
  ['that sends no event', false],
  ['that cannot be watched', true],
])('the settings watch detects that a directory %s disappears', async (_kind, isDenied) => {
  watchDirectory.mockImplementation((path: string) => {
    if (isDenied && path.endsWith('.config/lab-manager')) throw new Error('EACCES: permission denied');
    return Object.assign(new EventEmitter(), { close: () => undefined });
  });
  await rm(join(folder.path, 'home/lab/lab.settings.yaml'));
  await folder.write({ 'home/.config/lab-manager/lab.settings.yaml': 'manager_name: mine\n' });
  await startWatch();
  await rename(join(folder.path, 'home/.config/lab-manager'), join(folder.path, 'home/.config/unmounted'));
  await waitForNames([null]);
});
