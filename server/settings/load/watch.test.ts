import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useManualClock, type ManualClock } from '#api/fixtures/manualClock.ts';
import { makeTempFolder, type TempFolder } from '../../fixtures/tempFolder.ts';
import { loadSettings } from './load.ts';
import type { SettingsResult } from '../schema/types.ts';
import { SettingsWatch } from './watch.ts';

let folder: TempFolder;
let watch: SettingsWatch | null = null;
let changes: SettingsResult[];
let time: ManualClock;

beforeEach(async () => {
  time = useManualClock(Date.now());
  folder = await makeTempFolder({ 'home/lab/lab.settings.yaml': 'manager_name: one\n' });
  changes = [];
});
afterEach(async () => {
  await watch?.stop();
  await folder.remove();
});

async function startWatch(): Promise<void> {
  const seen = changes;
  watch = new SettingsWatch(folder.inputs(), {
    lastResult: await loadSettings(folder.inputs()),
    onChange: (result) => seen.push(result),
    debounceMs: 20,
    pollMs: 50,
  });
  await watch.ready;
}

/** The reports up to now; the watch reads the files while the clock advances. */
const waitForNames = (names: readonly (string | null)[]) =>
  time.waitFor(() => expect(readNames()).toEqual(names), { withinMs: 3000, stepMs: 20 });
const readNames = () => changes.map((result) => (result.ok ? result.settings.managerName : 'broken'));

it('the settings watch reports a change once, and nothing else', async () => {
  await startWatch();
  await folder.write({ 'home/lab/lab.settings.yaml': 'manager_name: two\n' });
  await waitForNames(['two']);
  await folder.write({
    'home/lab/lab.settings.yaml': '# only a comment\nmanager_name: two\n',
    'home/lab/notes.txt': 'x',
  });
  // An earlier report of these changes would precede the next one.
  await folder.write({ 'home/lab/lab.settings.yaml': 'manager_name: three\n' });
  await waitForNames(['two', 'three']);
});

it('the settings watch reports a change that was made between the last read and its start', async () => {
  const since = await loadSettings(folder.inputs());
  await folder.write({ 'home/lab/lab.settings.yaml': 'manager_name: two\n' });
  const seen = changes;
  watch = new SettingsWatch(folder.inputs(), {
    lastResult: since,
    onChange: (result) => seen.push(result),
    debounceMs: 20,
    pollMs: 50,
  });
  await waitForNames(['two']);
});

it('the settings watch does not report a file that is empty only until its writer has written it', async () => {
  const since = await loadSettings(folder.inputs());
  await folder.write({ 'home/lab/lab.settings.yaml': '' });
  const seen = changes;
  watch = new SettingsWatch(folder.inputs(), {
    lastResult: since,
    onChange: (result) => seen.push(result),
    debounceMs: 500,
  });
  await watch.ready;
  await folder.write({ 'home/lab/lab.settings.yaml': 'manager_name: [\n' });
  await waitForNames(['broken']);
});

it('the settings watch reports when a file breaks and when it is corrected', async () => {
  await startWatch();
  await folder.write({ 'home/lab/lab.settings.yaml': 'manager_name: [\n' });
  await waitForNames(['broken']);
  await folder.write({ 'home/lab/lab.settings.yaml': 'manager_name: two\n' });
  await waitForNames(['broken', 'two']);
});

it('the settings watch detects files that are renamed into place, removed, and added in a nearer folder', async () => {
  await startWatch();
  await folder.write({ 'home/lab/.new': 'manager_name: two\n' });
  await rename(join(folder.path, 'home/lab/.new'), join(folder.path, 'home/lab/lab.settings.yaml'));
  await waitForNames(['two']);
  await folder.write({ 'home/lab.settings.yaml': 'manager_name: above\n' });
  await rm(join(folder.path, 'home/lab/lab.settings.yaml'));
  await waitForNames(['two', 'above']);
  await folder.write({ 'home/lab/lab.settings.yaml': 'manager_name: near\n' });
  await waitForNames(['two', 'above', 'near']);
});

// Under Wine a folder cannot be removed while it is watched.
it.skipIf(process.platform === 'win32')(
  'the settings watch detects a folder that is created later, and one that is removed and created again',
  async () => {
    await folder.write({ 'home/lab/lab.settings.yaml': 'verbose: false\n' });
    await startWatch();
    await folder.write({ 'home/.config/lab-manager/lab.env': 'LAB_MANAGER_NAME=user\n' });
    await waitForNames(['user']);
    await rm(join(folder.path, 'home/.config'), { recursive: true });
    await waitForNames(['user', null]);
    await folder.write({ 'home/.config/lab-manager/lab.env': 'LAB_MANAGER_NAME=again\n' });
    await waitForNames(['user', null, 'again']);
  },
);

// Windows reserves links for administrators.
it.skipIf(process.platform === 'win32')('the settings watch detects a change of the file behind a link', async () => {
  await folder.write({ 'real/mine.yaml': 'manager_name: linked\n' });
  await rm(join(folder.path, 'home/lab/lab.settings.yaml'));
  await symlink(join(folder.path, 'real/mine.yaml'), join(folder.path, 'home/lab/lab.settings.yaml'));
  await startWatch();
  await folder.write({ 'real/mine.yaml': 'manager_name: changed\n' });
  await waitForNames(['changed']);
});

it('the settings watch reports nothing after it was stopped', async () => {
  await startWatch();
  await watch?.stop();
  await watch?.stop();
  const changesAfterStop = changes;
  // A watch that is not stopped detects the next change.
  changes = [];
  await startWatch();
  await folder.write({ 'home/lab/lab.settings.yaml': 'manager_name: two\n' });
  await waitForNames(['two']);
  expect(changesAfterStop).toEqual([]);
});
