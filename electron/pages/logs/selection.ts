/** The selected lines of a log: a range from its anchor to the active line, by IDs. */
export interface LineSelection {
  readonly anchor: number;
  readonly active: number;
}

/** Returns the indices of the first and last selected line; `null` if one end no longer exists. */
export function selectedRange(
  selection: LineSelection | null,
  indexById: ReadonlyMap<number, number>,
): readonly [first: number, last: number] | null {
  const [anchor, active] = [indexById.get(selection?.anchor ?? -1), indexById.get(selection?.active ?? -1)];
  if (anchor === undefined || active === undefined) return null;
  return anchor < active ? [anchor, active] : [active, anchor];
}

export interface SelectionKeyPress {
  readonly key: string;
  readonly shift: boolean;
  readonly control: boolean;
  /** Index of the active line, `null` without one. */
  readonly active: number | null;
  readonly count: number;
  /** The number of lines visible at once. */
  readonly pageSize: number;
}

/**
 * Returns the index of the line to which a key moves, and the anchor `from` of a new selection if one starts; `null` for
 * other keys.
 */
export function moveSelection({
  key,
  shift,
  control,
  active,
  count,
  pageSize,
}: SelectionKeyPress): { to: number; from?: number } | null {
  if (count === 0) return null;
  if (control && key.toLowerCase() === 'a') return { from: 0, to: count - 1 };
  if (control && key !== 'Home' && key !== 'End') return null;
  const last = count - 1;
  const current = active ?? last + 1;
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    PageDown: current + pageSize,
    PageUp: current - pageSize,
    Home: 0,
    End: last,
  };
  const target = targets[key];
  if (target === undefined) return null;
  const to = Math.min(last, Math.max(0, target));
  return shift && active !== null ? { to } : { to, from: to };
}
