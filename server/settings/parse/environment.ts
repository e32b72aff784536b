/** Settings in the environment: `LAB_*`, and the service addresses without a prefix; names in any case. */
import { envNames, findEnvName, isSilentKey } from '../schema/names.ts';
import type { Candidate } from './merge.ts';
import { unknownEnvironment } from './unknownKeys.ts';
import type { SettingsProblem } from '../schema/types.ts';

/**
 * The environment's settings. Of several spellings of a variable the last one counts, as the real service does it.
 * A `LAB_` variable that looks like a mistyped setting is a warning; others are none of ours.
 */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): {
  readonly candidates: readonly Candidate[];
  readonly problems: readonly SettingsProblem[];
} {
  const candidates: Candidate[] = [];
  const problems: SettingsProblem[] = [];
  for (const [variable, text] of Object.entries(env)) {
    const name = findEnvName(variable);
    if (text === undefined) {
      continue;
    }
    if (name !== null) {
      candidates.push({
        name,
        prefixed: true,
        raw: { style: 'text', text },
        origin: { source: 'environment', name: variable, file: null, path: null, line: null },
        column: null,
      });
    } else if (/^lab_/i.test(variable) && !isSilentKey(variable)) {
      problems.push(...unknownEnvironment(variable, envNames));
    }
  }
  return { candidates, problems };
}
