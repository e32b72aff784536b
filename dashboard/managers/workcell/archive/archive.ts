/** The archive as the server returns it: the newest N, more on demand, and the searched scope. */
import { isComplete, nextCounts, type PageCounts } from '../../transport/poll/newestPages.ts';
import { compareRows, type WorkflowRow } from '../workflowRow.ts';
import { formatNumber } from '#api/countText.ts';

/** Texts about the searched scope of the archive. */
export const archiveTexts = {
  reading: 'reading the archive…',
  failed: (reason: string) => `the archive could not be read: ${reason}`,
  retry: 'try again',
  newest: (count: number) => `searched the newest ${formatNumber(count)}`,
  whole: (count: number) => (count === 0 ? 'the archive is empty' : `searched all ${formatNumber(count)} archived`),
  load: (count: number) => `load ${formatNumber(count)}`,
  all: 'search all',
  leadsOn: ';',
  or: '/',
} as const;

/** The number of workflows that are polled. */
export const newestCount = 50;
/** The counts that can be requested; 0 is all. */
export const archiveCounts: PageCounts = [newestCount, 200, 1000, 0];

export interface ArchiveRead {
  readonly rows: readonly WorkflowRow[];
  /** The requested count; 0: all. */
  readonly requestedCount: number;
}

interface Scope {
  readonly text: string;
  readonly nextCounts: readonly number[];
}

/** Returns the searched scope of the archive. It has no total, because the server doesn't report one. */
export function describeScope(read: ArchiveRead): Scope {
  if (isComplete(read.rows.length, read.requestedCount))
    return { text: archiveTexts.whole(read.rows.length), nextCounts: [] };
  return { text: archiveTexts.newest(read.rows.length), nextCounts: nextCounts(archiveCounts, read.requestedCount) };
}

/**
 * Merges active workflows, those that left the list since the archive was read, the archive's newest, and older ones. The
 * first source that contains a workflow has precedence.
 */
export function mergeRows(...sources: readonly (readonly WorkflowRow[])[]): WorkflowRow[] {
  const rows = new Map<string, WorkflowRow>();
  for (const source of sources) for (const row of source) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()].toSorted(compareRows);
}

/** Returns the same array if the rows are unchanged, so that nothing is rendered again. */
export function reuseRows<Row>(previousRows: readonly Row[], nextRows: readonly Row[]): readonly Row[] {
  return previousRows.length === nextRows.length && nextRows.every((row, index) => row === previousRows[index])
    ? previousRows
    : nextRows;
}
