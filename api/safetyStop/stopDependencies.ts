/**
 * The connection of a safety stop to the dashboard or the desktop app: finding nodes, sending commands and recording
 * them.
 */
import type { CommandFields } from '../commandRecord.ts';
import type { AdminCommand } from '../managers/action.ts';
import type { StopRoutes } from './safetyStop.ts';
import type { Release, StopRow, StopTarget } from './stopReport.ts';

export interface StopDependencies {
  readonly getRoutes: (target: StopTarget) => StopRoutes;
  /** The commands that were in effect when the node was last read. */
  readonly effectsBefore: (target: StopTarget) => readonly AdminCommand[];
  /** Time of that reading, in ms since the epoch; 0 if there was none. */
  readonly readAt: () => number;
  /** The `labKey` of the lab that receives a stop now; `null` while it is unknown. */
  readonly lab: () => string | null;
  /** The commands that a release sends now. */
  readonly planReleases: (rows: readonly StopRow[]) => readonly Release[];
  /**
   * Releases one node by the commands that `finalRelease` resolves with, after all earlier requests to the node have a
   * response: otherwise a slow node would execute the stop after its release.
   * @param isSuperseded whether the stop was pressed again: then the release sends no more
   * @returns why it failed, `null` when it succeeded
   */
  readonly release: (
    release: Release,
    finalRelease: Promise<Release>,
    isSuperseded: () => boolean,
  ) => Promise<string | null>;
  /** Records in the lab's event log. @returns the ID of the event */
  readonly record: (fields: CommandFields, title: string) => string;
  readonly onChange: () => void;
  /** ms since the epoch */
  readonly now: () => number;
}

export interface StopTargets {
  /** The nodes known when the stop is pressed. Must resolve without delay. */
  readonly readKnownNodes: (signal: AbortSignal) => Promise<readonly StopTarget[]>;
  /** All nodes in the workcell manager's list, read while the known ones are being stopped. Never rejects. */
  readonly readListedNodes: (signal: AbortSignal) => Promise<readonly StopTarget[]>;
}
