/** The managers' versions of MADSci against each other and against those that this dashboard knows. Pure. */
import type { ManagerStatus } from '../../../api/lab/lab.ts';
import { labTexts as texts } from './texts.ts';

/** The oldest and the newest that it was tested with, `major.minor`. */
const tested = { oldest: [0, 7], newest: [0, 8] } as const;

export interface VersionRow {
  readonly manager: ManagerStatus['manager'];
  readonly name: string;
  /** Empty where the manager says none. */
  readonly version: string;
  readonly words: string;
  readonly isOdd: boolean;
}

/** `0.8.1` → [0, 8]; `null` for what is no version. */
function parts(version: string): readonly [major: number, minor: number] | null {
  const found = /^\s*v?(\d+)\.(\d+)/.exec(version);
  return found === null ? null : [Number(found[1]), Number(found[2])];
}
const compare = ([a, b]: readonly [number, number], [c, d]: readonly [number, number]): number => a - c || b - d;

/** The one that most managers run; `null` where none is more common than the others. */
export function commonest(versions: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const version of versions) counts.set(version, (counts.get(version) ?? 0) + 1);
  const [first, second] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (first === undefined || first[1] === second?.[1]) return null;
  return first[0];
}

export function versionRows(managers: readonly ManagerStatus[]): readonly VersionRow[] {
  const known = managers.flatMap(({ version }) => (version === null || version === '' ? [] : [version]));
  const most = commonest(known);
  return managers.map(({ manager, name, version }) => {
    const row = { manager, name, version: version ?? '' };
    const odd = (words: string): VersionRow => ({ ...row, words, isOdd: true });
    const read = parts(row.version);
    if (row.version === '') return { ...row, words: texts.noVersion, isOdd: false };
    if (row.version !== most && new Set(known).size > 1)
      return odd(most === null ? texts.differentVersions : texts.otherVersion(most));
    if (read !== null && compare(read, tested.newest) > 0) return odd(texts.newerVersion);
    if (read !== null && compare(read, tested.oldest) < 0) return odd(texts.olderVersion);
    return { ...row, words: known.length > 1 ? texts.sameVersion : texts.onlyVersion, isOdd: false };
  });
}
