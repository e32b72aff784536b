import { sep } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TestSettingsEditor, readText } from '../../fixtures/settingsEditor.ts';
import { SettingsWriteError } from '../load/settingsFile.ts';

/** The files that cannot be restored, by the end of their names. */
const stuck = vi.hoisted(() => ({ names: [] as readonly string[] }));
vi.mock('../load/settingsFile.ts', async (original) => {
  const real = await original<typeof import('../load/settingsFile.ts')>();
  return {
    ...real,
    replaceSettingsFile: (path: string, text: string, modeFrom?: string) =>
      stuck.names.some((name) => path.endsWith(name)) && !text.includes('DEBUG') && !/verbose=true|7$/im.test(text)
        ? Promise.reject(new real.SettingsWriteError(`${path} was not written: the disk is full`))
        : real.replaceSettingsFile(path, text, modeFrom),
  };
});

let editor: TestSettingsEditor;
beforeEach(async () => {
  editor = await TestSettingsEditor.make();
});
afterEach(async () => {
  stuck.names = [];
  await editor.folder.remove();
});

const before = {
  'settings.yaml': 'log_level: INFO\n',
  'lab.settings.yaml': 'watch_interval: 5\n',
  '.env': 'LAB_VERBOSE=no\n',
};
const changes = { log_level: 'DEBUG', watch_interval: '7', verbose: 'yes' };
const readFiles = () => Promise.all(Object.keys(before).map((name) => readText(editor.lab(name))));

it('a failed save restores every file and names those that it could not restore with their backups', async () => {
  await editor.writeLab(before);
  const planned = await editor.plan(editor.inputs(), changes);
  stuck.names = [`${sep}settings.yaml`, `${sep}.env`];
  const later = editor.inputs({ env: { LAB_LOG_LEVEL: 'ERROR' } });
  const error = await editor.save(later, planned).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SettingsWriteError);
  const { message } = error as SettingsWriteError;
  expect(message).toContain('Log level would not have the new value');
  for (const name of stuck.names) {
    const path = editor.lab(name.slice(1));
    expect(message).toContain(`${path} could not be restored (${path} was not written: the disk is full)`);
    expect(message).toContain(`its previous version is in ${path}.lab-manager.bak`);
  }
  expect(message).not.toContain('lab.settings.yaml could');
  expect((await readFiles())[1]).toBe(before['lab.settings.yaml']);
});

it('an undo that fails for one file restores the others and can be repeated', async () => {
  await editor.writeLab(before);
  const inputs = editor.inputs();
  await editor.save(inputs, await editor.plan(inputs, changes));
  stuck.names = [`${sep}settings.yaml`];
  await expect(editor.undo(inputs)).rejects.toThrow(
    `Not everything was undone. ${editor.lab('settings.yaml')} could not be restored`,
  );
  expect(await readFiles()).toEqual(['log_level: DEBUG\n', before['lab.settings.yaml'], before['.env']]);
  stuck.names = [];
  const { files } = await editor.undo(inputs);
  expect(files.toSorted()).toEqual(
    Object.keys(before)
      .map((name) => editor.lab(name))
      .toSorted(),
  );
  expect(await readFiles()).toEqual(Object.values(before));
});
