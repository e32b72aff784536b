/** What earlier presses of the safety stop did at each node, which a release of a later one undoes as well. Pure. */
import type { AdminCommand } from './managers/action.ts';
import type { LabStop } from './labStop.ts';
import { rowKey, rowOf, type StopRow, type StopTarget } from './stopReport.ts';

/** What an earlier press did at a node; `undefined` where none did. */
export type Earlier = (target: StopTarget) => StopRow | undefined;

export interface EarlierStops {
  /** Rows of the last stop of this program in the lab. */
  readonly own: readonly StopRow[];
  /** When that was pressed, in ms since the epoch; `null` without one. */
  readonly sentAt: number | null;
  /** It was released here, at every node. */
  readonly isReleased: boolean;
  /** It was released or replaced elsewhere. */
  readonly isOver: boolean;
  /** The lab's stop that is published as in force, of any program. */
  readonly inForce: LabStop | null;
  /** The commands whose effect a node has already, as it was read last. */
  readonly heldBefore: (target: StopTarget) => readonly AdminCommand[];
}

/** Stops in force, and those released so lately that what was read of the node is older. */
export function earlierAt({ own, sentAt, isReleased, isOver, inForce, heldBefore }: EarlierStops): Earlier {
  const held = isOver || isReleased ? [] : own;
  const at = inForce?.at ?? null;
  // The service publishes a stop for some seconds after its release.
  const isStale = isReleased && at !== null && Date.parse(at) <= (sentAt ?? 0);
  const published = isStale ? [] : (inForce?.nodes ?? []);
  return (target) => {
    const isTarget = (row: StopRow) => rowKey(row) === rowKey(target);
    const node = published.find(({ name }) => name === target.name);
    const row = node && rowOf(node, target.workcell);
    const released = own.find((each) => each.releasedAt !== null && isTarget(each));
    const known = held.find(isTarget) ?? (at === null ? undefined : row) ?? released;
    // Flags alone show that a node is stopped, not what it was before.
    return known ?? (row && { ...row, before: heldBefore(target) });
  };
}
