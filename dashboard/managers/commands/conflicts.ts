/** Compares the user's edits with changes by others since the form was opened. */
import { sameValue } from '#api/sameJson.ts';

/** A field that was edited here and changed by another user since it was opened. */
export interface Conflict {
  readonly field: string;
  readonly initialValue: unknown;
  readonly currentValue: unknown;
  readonly editedValue: unknown;
}

/** @param edited all edited fields */
export function findConflicts(edited: readonly Conflict[]): readonly Conflict[] {
  return edited.filter(
    ({ initialValue, currentValue, editedValue }) =>
      !sameValue(initialValue, currentValue) && !sameValue(currentValue, editedValue),
  );
}

/** Returns the conflicts that the user hasn't seen and accepted with their current values. */
export function unacceptedConflicts(
  conflicts: readonly Conflict[],
  accepted: readonly Conflict[],
): readonly Conflict[] {
  return conflicts.filter(
    ({ field, currentValue }) =>
      !accepted.some((seen) => seen.field === field && sameValue(seen.currentValue, currentValue)),
  );
}
