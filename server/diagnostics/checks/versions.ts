/** The managers' versions of MADSci against each other and against those that we know. */
import { compareVersions, type VersionVerdict } from '../../../api/versionsCompared.ts';
import { healthObject } from '../../health/probe.ts';
import { cleanText } from '../../logging/text.ts';
import { nothingToDo, withoutLab, type Check, type Finding } from './check.ts';
import type { Exchange } from '../../net/exchange.ts';

const why =
  'Managers of different versions may not understand each other, and one that is newer than we know may answer otherwise than expected.';

const longestVersion = 60;

/** `null` where the manager did not answer or says none. */
export function versionIn(answer: Exchange): string | null {
  const version = answer.ok ? healthObject(answer.body)?.['version'] : null;
  return typeof version === 'string' && version !== '' ? cleanText(version, longestVersion) : null;
}

export function versionsVerdict(
  managers: readonly { readonly name: string; readonly version: string | null }[],
): Finding {
  const { verdicts } = compareVersions(managers.map(({ version }) => version));
  const has = (...wanted: readonly VersionVerdict[]) => verdicts.some((verdict) => wanted.includes(verdict));
  const what = `${managers.map(({ name, version }) => `${name} ${version ?? 'unknown'}`).join(', ')}.`;
  if (verdicts.every((verdict) => verdict === 'none'))
    return {
      result: 'unknown',
      what: 'No manager reported its version.',
      why,
      whatToDo: 'Start the managers, then run the checks again.',
    };
  if (has('other', 'different'))
    return {
      result: 'warning',
      what: `They differ: ${what}`,
      why,
      whatToDo: 'Bring all managers to the same version of MADSci.',
    };
  if (has('newer', 'older'))
    return {
      result: 'warning',
      what: `Not one that was tested: ${what}`,
      why,
      whatToDo: has('older')
        ? 'Bring the managers to a newer version of MADSci.'
        : 'Look for a newer version of Lab Manager; where all works, nothing.',
    };
  return { result: 'ok', what, why, whatToDo: nothingToDo };
}

export const versions: Check = {
  id: 'versions',
  title: 'Versions of the managers',
  async run({ lab, health }) {
    if (lab === null) return withoutLab(why);
    return versionsVerdict(
      await Promise.all(
        lab.managers.map(async (manager) => ({ name: manager.name, version: versionIn(await health(manager)) })),
      ),
    );
  },
};
