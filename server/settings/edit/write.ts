/** Writing settings back into `lab.settings.yaml`: comments and order kept, all or nothing. */
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { editText } from './editText.ts';
import { EditRefused, type WrittenValue } from './edits.ts';
import { expectedWords } from '../parse/expected.ts';
import { fileKeys } from '../schema/names.ts';
import { formatProblem, makeProblem } from '../parse/problem.ts';
import {
  existingText,
  linkTarget,
  refused,
  replaceSettingsFile,
  SettingsWriteError,
  writtenFile,
} from '../load/settingsFile.ts';
import { settingNames, settingOf, type SettingName } from '../schema/table.ts';
import type { SettingsProblem } from '../schema/types.ts';
import { parseValue } from '../parse/values.ts';
import { readYaml } from '../parse/yamlFile.ts';

/** A new value; `null` removes the setting from the file, `'None'` writes that there is none. */
export type SettingChange = WrittenValue | null;

/** Errors of the changes themselves. A relative path is judged as text only, so its base doesn't matter. */
function checkChanges(changes: Readonly<Record<string, SettingChange>>, path: string): readonly SettingsProblem[] {
  const base = { baseDir: dirname(path), homeDir: dirname(path), madsciDir: dirname(path) };
  return Object.entries(changes).flatMap(([key, value]) => {
    const name = settingNames.find((known) => known === key && settingOf(known).scope !== 'contextOnly');
    const parsed =
      name === undefined
        ? ({ ok: false, message: 'there is no such setting' } as const)
        : value === null || parseValue(settingOf(name), { style: 'native', value }, base);
    return parsed === true || parsed.ok
      ? []
      : [
          makeProblem({
            severity: 'error',
            source: 'yaml',
            path,
            key,
            value,
            message: parsed.message,
            expected: name === undefined ? 'the unprefixed name of a setting' : expectedWords(settingOf(name)),
          }),
        ];
  });
}

/** One change in the text. The spelling that is there is kept; of several, the one that counts is changed. */
function applyChange(text: string, present: ReadonlySet<string>, name: SettingName, value: SettingChange): string {
  const spellings = fileKeys(settingOf(name), 'lab');
  if (value === null) return editText('yaml', text, { kind: 'remove', keys: spellings });
  const key = spellings.find((spelling) => present.has(spelling)) ?? spellings[0] ?? name;
  return editText('yaml', text, { kind: 'set', key, value });
}

/** The file's text with the changes made. */
function changedText(text: string, path: string, changes: Readonly<Record<string, SettingChange>>): string {
  const { keys, problems } = readYaml(text, path);
  const errors = problems.filter((problem) => problem.severity === 'error');
  if (errors.length > 0) {
    throw new SettingsWriteError(
      'broken-file',
      path,
      `${path} was not written, because it cannot be read: ${errors.map(formatProblem).join('; ')}`,
      errors,
    );
  }
  const present = new Set(keys.map(({ key }) => key));
  try {
    return settingNames.reduce((result, name) => {
      const value = changes[name];
      return value === undefined ? result : applyChange(result, present, name, value);
    }, text);
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    throw new SettingsWriteError('failed', path, `${path} was not written: ${error.message}`);
  }
}

/**
 * Writes settings, by their unprefixed names, to `<folder>/lab.settings.yaml`, which is created with its folder when it
 * isn't there. Its caller sees to it that writes come one after the other.
 *
 * @returns the path of the file written (the target where it is a link)
 * @throws {SettingsWriteError} with nothing changed: the file is broken, a value isn't allowed, the disk is full or
 *   read-only
 */
export async function writeSetting(folder: string, changes: Readonly<Record<string, SettingChange>>): Promise<string> {
  const dir = resolve(folder);
  const asked = join(dir, writtenFile);
  const problems = checkChanges(changes, asked);
  if (problems.length > 0) {
    throw new SettingsWriteError('invalid', asked, problems.map(formatProblem).join('; '), problems);
  }
  try {
    await mkdir(dir, { recursive: true });
  } catch (error) {
    throw refused(error, asked);
  }
  const path = await linkTarget(asked);
  const before = await existingText(path);
  const after = changedText(before ?? '', path, changes);
  if (after !== before) {
    await replaceSettingsFile(path, after);
  }
  return path;
}
