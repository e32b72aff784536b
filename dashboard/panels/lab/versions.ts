/** The managers' MADSci versions, each with its compatibility. */
import type { ManagerStatus } from '#api/lab/lab.ts';
import { compareVersions, type VersionStatus } from '#api/compareVersions.ts';
import { formatDuration } from '../../base/time.ts';
import { labTexts as texts } from './texts.ts';

export interface VersionRow {
  readonly manager: ManagerStatus['manager'];
  readonly name: string;
  /** Empty if the manager reports none. */
  readonly version: string;
  readonly text: string;
  readonly isMismatch: boolean;
  /** The time zone of the manager's host, and how much its clock differs. */
  readonly clock: string;
}

const mismatchStatuses: ReadonlySet<VersionStatus> = new Set(['other', 'different', 'newer', 'older']);

export function toVersionRows(managers: readonly ManagerStatus[]): readonly VersionRow[] {
  const { common: commonVersion, statuses } = compareVersions(managers.map(({ version }) => version));
  const text: Readonly<Record<VersionStatus, string>> = {
    none: 'Reports no version',
    other: `Different: most managers use ${commonVersion ?? ''}`,
    different: 'Different: no version is the most common',
    newer: texts.newerVersion,
    older: 'Older than any version this dashboard was tested with',
    same: texts.sameVersion,
    only: 'Nothing to compare with',
  };
  return managers.map(({ manager, name, version, clock }, index) => {
    const status = statuses[index] ?? 'none';
    return {
      manager,
      name,
      version: version ?? '',
      text: text[status],
      isMismatch: mismatchStatuses.has(status),
      clock: formatClockOffset(clock),
    };
  });
}

function formatClockOffset(clock: ManagerStatus['clock']): string {
  const aheadMs = (clock?.ahead_seconds ?? 0) * 1000;
  const zone = clock?.time_zone ?? 'time zone unknown';
  return aheadMs === 0 ? zone : `${zone}, ${texts.clockDifference(formatDuration(Math.abs(aheadMs)), aheadMs > 0)}`;
}
