/** What a person has edited, compared with what somebody else has made of it since it was opened. Pure. */
import { sameValue } from '../../base/sameJson.ts';

/** A field that was edited here and changed by somebody else since it was opened. */
export interface Conflict {
  readonly field: string;
  readonly opened: unknown;
  readonly now: unknown;
  readonly mine: unknown;
}

/** @param edited every field that was edited */
export function conflictsIn(edited: readonly Conflict[]): readonly Conflict[] {
  return edited.filter(({ opened, now, mine }) => !sameValue(opened, now) && !sameValue(now, mine));
}

/** Those that the person hasn't seen and accepted as they are now. */
export function openConflicts(conflicts: readonly Conflict[], accepted: readonly Conflict[]): readonly Conflict[] {
  return conflicts.filter(
    ({ field, now }) => !accepted.some((seen) => seen.field === field && sameValue(seen.now, now)),
  );
}
