/** What the page and the worker that reads the archive say to each other. */
import type { LabVersion } from '../../../../api/version.ts';
import type { ManagerErrorKind } from '../../../../api/managerError.ts';
import type { Workflow } from '../../../../api/workflow.ts';
import type { WorkflowRow } from '../workflowRow.ts';

export type ArchiveRequest =
  | { readonly id: number; readonly baseUrl: string; readonly version: LabVersion | null; readonly count: number }
  | { readonly id: number; readonly stop: true };

export interface ArchiveFailure {
  readonly kind: ManagerErrorKind;
  readonly status: number | null;
  readonly reason: string;
  readonly retryAfterMs: number | null;
}

export type ArchiveAnswer =
  | { readonly id: number; readonly rows: readonly WorkflowRow[] }
  /** After the last rows. `timed`: a few workflows that tell the time zone of the manager's host. */
  | { readonly id: number; readonly end: true; readonly timed: readonly Workflow[] }
  | { readonly id: number; readonly failure: ArchiveFailure };

/** Rows in one message: few enough that taking one in is no pause. */
export const rowsInMessage = 250;
