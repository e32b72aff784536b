/** Settings given by the program that starts the service: they rank below the command line alone. */
import type { Candidate } from './merge.ts';
import { makeProblem } from './problem.ts';
import { settingNames, type SettingName } from '../schema/table.ts';
import { nearestName } from '../../../api/nearestName.ts';
import type { SettingsProblem } from '../schema/types.ts';

/** The names an argument may have; `lab_server_url` is a key of `context.*` files, not an argument. */
const names: readonly SettingName[] = settingNames.filter((name) => name !== 'lab_server_url');

/** The arguments' settings, by unprefixed name; `undefined` is not given, an unknown name an error. */
export function readOverrides(overrides: Readonly<Record<string, unknown>>): {
  readonly candidates: readonly Candidate[];
  readonly problems: readonly SettingsProblem[];
} {
  const candidates: Candidate[] = [];
  const problems: SettingsProblem[] = [];
  for (const [key, value] of Object.entries(overrides)) {
    const name = names.find((known) => known === key);
    if (value === undefined) {
      continue;
    }
    if (name === undefined) {
      const nearest = nearestName(key, names);
      problems.push(
        makeProblem({
          severity: 'error',
          source: 'argument',
          key,
          value,
          message: 'there is no such setting',
          expected: nearest === null ? 'the unprefixed name of a setting' : `did you mean ${nearest}?`,
        }),
      );
    } else {
      candidates.push({
        name,
        prefixed: true,
        raw: { style: 'native', value },
        origin: { source: 'argument', name: key, file: null, path: null, line: null },
        column: null,
      });
    }
  }
  return { candidates, problems };
}
