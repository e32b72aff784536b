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

let on: TestSettingsEditor;
beforeEach(async () => {
  on = await TestSettingsEditor.make();
});
afterEach(async () => {
  stuck.names = [];
  await on.folder.remove();
});

const before = {
  'settings.yaml': 'log_level: INFO\n',
  'lab.settings.yaml': 'watch_interval: 5\n',
  '.env': 'LAB_VERBOSE=no\n',
};
const changes = { log_level: 'DEBUG', watch_interval: '7', verbose: 'yes' };
const now = () => Promise.all(Object.keys(before).map((name) => readText(on.lab(name))));

it('a failed save restores every file and names those that it could not restore with their backups', async () => {
  await on.writeLab(before);
  const planned = await on.plan(on.inputs(), changes);
  stuck.names = [`${sep}settings.yaml`, `${sep}.env`];
  const later = on.inputs({ env: { LAB_LOG_LEVEL: 'ERROR' } });
  const error = await on.save(later, planned).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SettingsWriteError);
  const { message } = error as SettingsWriteError;
  expect(message).toContain('Log level would not have the new value');
  for (const name of stuck.names) {
    const path = on.lab(name.slice(1));
    expect(message).toContain(`${path} could not be put back (${path} was not written: the disk is full)`);
    expect(message).toContain(`its previous version is in ${path}.lab-manager.bak`);
  }
  expect(message).not.toContain('lab.settings.yaml could');
  expect((await now())[1]).toBe(before['lab.settings.yaml']);
});

it('an undo that fails for one file restores the others and can be repeated', async () => {
  await on.writeLab(before);
  const inputs = on.inputs();
  await on.save(inputs, await on.plan(inputs, changes));
  stuck.names = [`${sep}settings.yaml`];
  await expect(on.undo(inputs)).rejects.toThrow(
    `Not everything was undone. ${on.lab('settings.yaml')} could not be put back`,
  );
  expect(await now()).toEqual(['log_level: DEBUG\n', before['lab.settings.yaml'], before['.env']]);
  stuck.names = [];
  const { files } = await on.undo(inputs);
  expect(files.toSorted()).toEqual(
    Object.keys(before)
      .map((name) => on.lab(name))
      .toSorted(),
  );
  expect(await now()).toEqual(Object.values(before));
});
