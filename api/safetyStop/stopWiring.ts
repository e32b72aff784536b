/** How a safety stop finds its nodes, sends its commands and records them: in the dashboard and in the desktop app. */
import type { CommandFacts } from '../commandRecord.ts';
import type { AdminCommand } from '../managers/action.ts';
import type { StopRoutes } from './safetyStop.ts';
import type { Release, StopRow, StopTarget } from './stopReport.ts';

export interface StopWiring {
  readonly routesTo: (target: StopTarget) => StopRoutes;
  /** The commands whose effect a node has already, as it was read last. */
  readonly effectsBefore: (target: StopTarget) => readonly AdminCommand[];
  /** When that was read, in ms since the epoch; 0 where it never was. */
  readonly readAt: () => number;
  /** The `labKey` of the lab that a press goes to now; `null` while it is unknown. */
  readonly lab: () => string | null;
  /** What a release would send now. */
  readonly releases: (rows: readonly StopRow[]) => readonly Release[];
  /**
   * Releases one node by the commands that `settled` resolves with, once all that was sent to it has been answered: a slow node would
   * otherwise carry out the stop after its release.
   * @param isOvertaken whether the stop was pressed again: nothing more of the release may be sent
   * @returns why it failed, `null` when it succeeded
   */
  readonly release: (release: Release, settled: Promise<Release>, isOvertaken: () => boolean) => Promise<string | null>;
  /** Records in the lab's event log. @returns the ID of the event */
  readonly record: (facts: CommandFacts, what: string) => string;
  readonly onChange: () => void;
  /** ms since the epoch */
  readonly now: () => number;
}

export interface StopTargets {
  /** The nodes known at the press; every ms counts. */
  readonly known: (signal: AbortSignal) => Promise<readonly StopTarget[]>;
  /** All nodes that the workcell manager lists, found while the known ones are being stopped. Never rejects. */
  readonly listed: (signal: AbortSignal) => Promise<readonly StopTarget[]>;
}
