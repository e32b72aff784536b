import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stuckStorage } from '../../server/fixtures/stuckStorage.ts';
import { silentLog, type Log } from '../../server/logging/log.ts';
import { waitForStateFiles } from '../../server/storage/stateFile.ts';
import { PreferencesFile } from './preferences.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'preferences-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const file = () => join(folder, 'preferences.json');

/** Loads the preferences as at a start, after all pending changes are written. */
async function openPreferences(log: Log = silentLog): Promise<PreferencesFile> {
  await waitForStateFiles();
  const preferences = new PreferencesFile(file(), log);
  await preferences.load();
  return preferences;
}

it('preferences are stored for the next start', async () => {
  (await openPreferences()).change({ labFolder: '/lab' });
  (await openPreferences()).change({ trayNoteShown: true });
  expect((await openPreferences()).values).toMatchObject({ labFolder: '/lab', trayNoteShown: true, window: null });
});

it.each(['{ not json', '[]', '3', 'null', '{"labFolder": 3}', '{"window": {"x": "left"}}'])(
  'the defaults replace an invalid preferences file, which is kept as a backup: %s',
  async (text) => {
    writeFileSync(file(), text);
    const preferences = await openPreferences();
    expect(preferences.values.labFolder).toBeNull();
    expect(readFileSync(`${file()}.broken`, 'utf8')).toBe(text);
    preferences.change({ labFolder: '/lab' });
    expect((await openPreferences()).values.labFolder).toBe('/lab');
  },
);

it.each([
  { follow: 'http://ann:hunter2@lab-pc:8000/' },
  { follow: 'lab pc' },
  { chosenLabs: [{ url: 'http://', name: null }] },
])('the defaults replace preferences with an invalid address, which is not logged: %j', async (content) => {
  const lines: string[] = [];
  writeFileSync(file(), JSON.stringify(content));
  const preferences = await openPreferences({ ...silentLog, warn: (line) => lines.push(line) });
  expect(preferences.values).toMatchObject({ follow: null, chosenLabs: [] });
  expect(lines.join()).toContain("can't be read (the address of a lab manager");
  expect(lines.join()).not.toContain('hunter2');
});

it('preferences stay in memory when the folder can’t be written', async () => {
  const preferences = new PreferencesFile(join(folder, 'file', 'preferences.json'), silentLog);
  writeFileSync(join(folder, 'file'), '');
  preferences.change({ labFolder: '/lab' });
  await waitForStateFiles();
  expect(preferences.values.labFolder).toBe('/lab');
  expect(existsSync(join(folder, 'file', 'preferences.json'))).toBe(false);
});

it('preferences that are loaded late are merged with changes made meanwhile', async () => {
  (await openPreferences()).change({ labFolder: '/lab', trayNoteShown: true });
  await waitForStateFiles();
  const respond = stuckStorage(file());
  const preferences = new PreferencesFile(file(), silentLog);
  expect(await preferences.load()).toContain('the storage does not respond');
  preferences.change({ labFolder: '/other' });
  respond();
  await waitForStateFiles();
  expect(preferences.values).toMatchObject({ labFolder: '/other', trayNoteShown: true });
  expect((await openPreferences()).values).toMatchObject({ labFolder: '/other', trayNoteShown: true });
});
