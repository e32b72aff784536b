/** What the page asks its worker, and what it is given. */
import type { HostClock } from '../../../../api/time/time.ts';
import type { Workflow } from '../../../../api/managers/workflow.ts';
import type { ExecutingNodes } from '../../../managers/workcell/workflowState.ts';
import type { Layer } from '../layer/layer.ts';

/** More steps than fit into a page's memory and a frame: the oldest workflows are left out. */
export const maxSteps = 200_000;

export interface TimelineQuestion {
  /** How many of the archive's newest are read; `null`: nothing is, what changed is given. */
  readonly archive: { readonly count: number; readonly part: 'all' | 'newest' } | null;
  /** The workflows that aren't in the archive: who they are, and those of them that changed; `null`: as before. */
  readonly current: { readonly ids: readonly string[]; readonly changed: readonly Workflow[] } | null;
  /** The clock of the manager's host. */
  readonly clock: HostClock;
  /** The nodes that may still execute what was cancelled or paused. */
  readonly nodes: ExecutingNodes;
}

export interface TimelineAnswer {
  /** `null` where nothing changed. */
  readonly layer: Layer | null;
  /** Texts that are new in the table. */
  readonly texts: readonly string[];
  readonly scope: ArchiveScope;
}

/** How far back the archive was read. */
export interface ArchiveScope {
  readonly read: number;
  /** 0 before it was read. */
  readonly asked: number;
  /** ms since the epoch: of what was submitted before, nothing is known; `null`: everything is. */
  readonly since: number | null;
  /** There would be more steps than can be shown: the oldest are left out. */
  readonly cut: boolean;
}
