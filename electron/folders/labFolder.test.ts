import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chooserStart, overridingFolderSource } from './labFolder.ts';

const existingFolder = import.meta.dirname;

it.each([
  ['the chosen lab folder', existingFolder, existingFolder],
  ['the home folder before one was chosen', null, '/home/labuser'],
  ['the home folder when the lab folder is missing', join(existingFolder, 'no-such-folder'), '/home/labuser'],
  ['the home folder when the lab folder is a file', join(existingFolder, 'labFolder.ts'), '/home/labuser'],
])('the folder chooser opens in %s', (_name, folder, expected) => {
  expect(chooserStart(folder, '/home/labuser')).toBe(expected);
});

it.each([
  ['no setting', ['--hidden'], {}, null],
  ['an option', ['--settings-dir=/lab'], {}, /given by --settings-dir\.$/],
  ['an option with a separate value', ['--settings_dir', '/lab'], {}, /--settings_dir/],
  ['a variable in any case', [], { madsci_settings_dir: '/lab' }, /variable madsci_settings_dir/],
  ['an empty variable', [], { MADSCI_SETTINGS_DIR: '' }, null],
])('overridingFolderSource finds the source that selects another folder: %s', (_name, argv, env, folder) => {
  if (folder === null) expect(overridingFolderSource(argv, env)).toBeNull();
  else expect(overridingFolderSource(argv, env)).toMatch(folder);
});
