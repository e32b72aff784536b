/** Messages between the page and the timeline worker. */
import type { HostClock } from '#api/time/time.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import type { ExecutingNodes } from '#dashboard/managers/workcell/workflowState.ts';
import type { Layer } from '../layer/layer.ts';

/** Maximum number of steps, to limit memory and keep the frame rate; the oldest workflows beyond it are left out. */
export const maxSteps = 200_000;

export interface TimelineRequest {
  /** The number of newest archived workflows to read; `null`: read nothing and return the changes. */
  readonly archive: { readonly count: number; readonly part: 'all' | 'newest' } | null;
  /** The workflows outside the archive: all IDs, and the changed workflows; `null`: unchanged. */
  readonly current: { readonly ids: readonly string[]; readonly changed: readonly Workflow[] } | null;
  /** The clock of the manager's host. */
  readonly clock: HostClock;
  /** The nodes that may still execute steps of cancelled or paused workflows. */
  readonly nodes: ExecutingNodes;
}

export interface TimelineResponse {
  /** `null` if nothing changed. */
  readonly layer: Layer | null;
  /** New entries of the text table. */
  readonly texts: readonly string[];
  readonly scope: ArchiveScope;
}

/** How far back the archive was read. */
export interface ArchiveScope {
  readonly readCount: number;
  /** 0 until the archive is first read. */
  readonly requestedCount: number;
  /**
   * Start of the loaded period, in ms since the epoch; earlier workflows are unknown. `null` if all are loaded or the
   * archive has not been read.
   */
  readonly since: number | null;
  /** True if the oldest workflows were left out because of the step limit. */
  readonly isTruncated: boolean;
}
