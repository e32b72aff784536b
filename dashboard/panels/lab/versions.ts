/** The managers' MADSci versions, each with its compatibility. Pure. */
import type { ManagerStatus } from '../../../api/lab/lab.ts';
import { compareVersions, type VersionVerdict } from '../../../api/versionsCompared.ts';
import { duration } from '../../base/time.ts';
import { labTexts as texts } from './texts.ts';

export interface VersionRow {
  readonly manager: ManagerStatus['manager'];
  readonly name: string;
  /** Empty if the manager reports none. */
  readonly version: string;
  readonly text: string;
  readonly isOdd: boolean;
  /** Time zone of its host, and how far its clock differs. */
  readonly clock: string;
}

const odd: ReadonlySet<VersionVerdict> = new Set(['other', 'different', 'newer', 'older']);

export function versionRows(managers: readonly ManagerStatus[]): readonly VersionRow[] {
  const { common: commonVersion, verdicts } = compareVersions(managers.map(({ version }) => version));
  const text: Readonly<Record<VersionVerdict, string>> = {
    none: texts.noVersion,
    other: texts.otherVersion(commonVersion ?? ''),
    different: texts.differentVersions,
    newer: texts.newerVersion,
    older: texts.olderVersion,
    same: texts.sameVersion,
    only: texts.onlyVersion,
  };
  return managers.map(({ manager, name, version, clock }, place) => {
    const verdict = verdicts[place] ?? 'none';
    return {
      manager,
      name,
      version: version ?? '',
      text: text[verdict],
      isOdd: odd.has(verdict),
      clock: clockText(clock),
    };
  });
}

function clockText(clock: ManagerStatus['clock']): string {
  const ahead = (clock?.ahead_seconds ?? 0) * 1000;
  const zone = clock?.time_zone ?? texts.zoneUnknown;
  return ahead === 0 ? zone : `${zone}, ${texts.clockDifference(duration(Math.abs(ahead)), ahead > 0)}`;
}
