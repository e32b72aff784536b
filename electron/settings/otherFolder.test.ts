import { expect, it } from 'vitest';
import { otherFolder } from './otherFolder.ts';

it.each([
  ['nothing', ['--hidden'], {}, null],
  ['an option', ['--settings-dir=/lab'], {}, /given by --settings-dir\.$/],
  ['its value apart', ['--settings_dir', '/lab'], {}, /--settings_dir/],
  ['a variable, in any case', [], { madsci_settings_dir: '/lab' }, /variable madsci_settings_dir/],
  ['an empty variable', [], { MADSCI_SETTINGS_DIR: '' }, null],
])('%s', (_name, argv, env, said) => {
  if (said === null) expect(otherFolder(argv, env)).toBeNull();
  else expect(otherFolder(argv, env)).toMatch(said);
});
