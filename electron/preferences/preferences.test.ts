import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import { PreferencesFile } from './preferences.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'preferences-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const file = () => join(folder, 'preferences.json');

it('keeps what was changed for the next start', () => {
  new PreferencesFile(file(), silentLog).change({ labFolder: '/lab' });
  new PreferencesFile(file(), silentLog).change({ trayNoteShown: true });
  expect(new PreferencesFile(file(), silentLog).values).toMatchObject({
    labFolder: '/lab',
    trayNoteShown: true,
    window: null,
  });
});

it.each(['{ not json', '[]', '{"labFolder": 3}', '{"window": {"x": "left"}}'])(
  'keeps a broken file aside: %s',
  (text) => {
    writeFileSync(file(), text);
    const preferences = new PreferencesFile(file(), silentLog);
    expect(preferences.values.labFolder).toBeNull();
    if (text !== '[]') expect(readFileSync(`${file()}.broken`, 'utf8')).toBe(text);
    preferences.change({ labFolder: '/lab' });
    expect(new PreferencesFile(file(), silentLog).values.labFolder).toBe('/lab');
  },
);

it('goes on where the folder can’t be written', () => {
  const preferences = new PreferencesFile(join(folder, 'file', 'preferences.json'), silentLog);
  writeFileSync(join(folder, 'file'), '');
  preferences.change({ labFolder: '/lab' });
  expect(preferences.values.labFolder).toBe('/lab');
  expect(existsSync(join(folder, 'file', 'preferences.json'))).toBe(false);
});

it('removes an address with a password in it, which an earlier version kept, from the disk and logs none of it', () => {
  const lines: string[] = [];
  writeFileSync(file(), JSON.stringify({ follow: 'http://ann:hunter2@lab-pc:8000/', labFolder: '/lab' }));
  const preferences = new PreferencesFile(file(), { ...silentLog, warn: (line) => lines.push(line) });
  expect(preferences.values).toMatchObject({ follow: null, labFolder: '/lab' });
  expect(readFileSync(file(), 'utf8')).not.toContain('hunter2');
  expect(lines.join()).toContain('was removed');
  expect(lines.join()).not.toContain('hunter2');
});
