/** Compares the managers' MADSci versions with each other and with the tested ones. */

/** The oldest and the newest tested version, `major.minor`. */
const testedRange = { oldest: [0, 7], newest: [0, 8] } as const;

/**
 * `none`: no version is reported. `other`: differs from the most common version. `different`: the versions differ, and
 * none is the most common. `newer`, `older`: outside the tested range. `same`: the most common version. `only`: the only
 * reported version.
 */
export type VersionStatus = 'none' | 'other' | 'different' | 'newer' | 'older' | 'same' | 'only';

/** `0.8.1` → [0, 8]; `null` if it is not a version. */
function parseVersion(version: string): readonly [major: number, minor: number] | null {
  const match = /^\s*v?(\d+)\.(\d+)/.exec(version);
  return match === null ? null : [Number(match[1]), Number(match[2])];
}
const compareMajorMinor = ([a, b]: readonly [number, number], [c, d]: readonly [number, number]): number =>
  a - c || b - d;

/** The most common version; `null` for a tie or an empty list. */
export function findCommonVersion(versions: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const version of versions) counts.set(version, (counts.get(version) ?? 0) + 1);
  const [first, second] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (first === undefined || first[1] === second?.[1]) return null;
  return first[0];
}

/**
 * Compares each version, in the given order.
 * @param versions as reported by the managers; `null` or empty without a report
 */
export function compareVersions(versions: readonly (string | null)[]): {
  readonly common: string | null;
  readonly statuses: readonly VersionStatus[];
} {
  const reportedVersions = versions.filter((version): version is string => version !== null && version !== '');
  const commonVersion = findCommonVersion(reportedVersions);
  const isMixed = new Set(reportedVersions).size > 1;
  const statuses = versions.map((version): VersionStatus => {
    if (version === null || version === '') return 'none';
    if (version !== commonVersion && isMixed) return commonVersion === null ? 'different' : 'other';
    const parsed = parseVersion(version);
    if (parsed !== null && compareMajorMinor(parsed, testedRange.newest) > 0) return 'newer';
    if (parsed !== null && compareMajorMinor(parsed, testedRange.oldest) < 0) return 'older';
    return reportedVersions.length > 1 ? 'same' : 'only';
  });
  return { common: commonVersion, statuses };
}
