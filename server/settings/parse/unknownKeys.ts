/** What to say of keys, variables and options that nobody knows: the nearest known one. */
import { nearestName } from '../../../api/nearestName.ts';
import { makeProblem } from './problem.ts';
import { findFileKey, isSilentKey, knownFileKeys, type FileGroup } from '../schema/names.ts';
import type { FoundKey } from './reading.ts';
import type { SettingsProblem } from '../schema/types.ts';

const normal = (name: string): string => name.toLowerCase().replaceAll('-', '_');

/** A file key close to a known one; a known key with a prefix it doesn't take counts as close too. */
function nearestFileKey(key: string, group: FileGroup): string | null {
  const bare = normal(key).replace(/^lab_/, '');
  return findFileKey(bare, group) === null ? nearestName(key, knownFileKeys(group)) : bare;
}

/**
 * Warnings for the unknown keys of a file. In a lab's own files every unknown key is one; `context.*` files belong to
 * the whole lab, so only likely slips are; in shared files unknown keys are other managers'.
 */
export function unknownFileKeys(
  keys: readonly FoundKey[],
  file: { readonly group: FileGroup; readonly path: string; readonly source: SettingsProblem['source'] },
): readonly SettingsProblem[] {
  if (file.group === 'shared') {
    return [];
  }
  return keys.flatMap(({ key, line, column }) => {
    const nearest = nearestFileKey(key, file.group);
    if (isSilentKey(key) || (file.group === 'context' && nearest === null)) {
      return [];
    }
    return [
      makeProblem({
        severity: 'warning',
        source: file.source,
        path: file.path,
        line,
        column,
        key,
        message: 'there is no such setting, so this is ignored',
        expected: nearest === null ? 'a setting listed by --help' : `did you mean ${nearest}?`,
      }),
    ];
  });
}

/** A warning for a `LAB_` variable that looks like a mistyped setting; nothing for any other. */
export function unknownEnvironment(variable: string, known: readonly string[]): readonly SettingsProblem[] {
  const nearest = nearestName(variable, known);
  return nearest === null
    ? []
    : [
        makeProblem({
          severity: 'warning',
          source: 'environment',
          key: variable,
          message: 'there is no such setting, so this is ignored',
          expected: `did you mean ${nearest}?`,
        }),
      ];
}

const noSuchOption = 'there is no such option';

export function isUnknownOption({ source, message }: SettingsProblem): boolean {
  return source === 'command line' && message === noSuchOption;
}

/** The error for an unknown option, with the nearest known one. */
export function unknownOption(option: string, known: readonly string[]): SettingsProblem {
  const nearest = nearestName(option, known);
  return makeProblem({
    severity: 'error',
    source: 'command line',
    key: option,
    message: noSuchOption,
    expected: nearest === null ? 'an option listed by --help' : `did you mean ${nearest}?`,
  });
}
