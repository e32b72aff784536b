/** The archive on the server's terms: the newest so many, more on demand, and what may be said of it. Pure. */
import { isWhole, nextCounts, type PageCounts } from '../../transport/poll/newestPages.ts';
import { inOrder, type WorkflowRow } from '../workflowRow.ts';
import { figure } from '../../../base/texts.ts';

/** How far the archive was searched, in words. */
export const archiveTexts = {
  reading: 'reading the archive…',
  failed: (reason: string) => `the archive could not be read: ${reason}`,
  retry: 'try again',
  newest: (count: number) => `searched the newest ${figure(count)}`,
  whole: (count: number) => (count === 0 ? 'the archive is empty' : `searched all ${figure(count)} archived`),
  load: (count: number) => `load ${figure(count)}`,
  all: 'search all',
  leadsOn: ';',
  or: '/',
} as const;

/** How many are read again and again. */
export const newestCount = 50;
/** What can be asked for; 0 is all. */
export const archiveCounts: PageCounts = [newestCount, 200, 1000, 0];

export interface ArchiveRead {
  readonly rows: readonly WorkflowRow[];
  /** How many were asked for; 0: all. */
  readonly asked: number;
}

interface Scope {
  readonly text: string;
  readonly more: readonly number[];
}

/** How far the archive was searched. The server doesn't say how many there are, so neither does this. */
export function scopeOf(read: ArchiveRead): Scope {
  if (isWhole(read.rows.length, read.asked)) return { text: archiveTexts.whole(read.rows.length), more: [] };
  return { text: archiveTexts.newest(read.rows.length), more: nextCounts(archiveCounts, read.asked) };
}

/**
 * One list: active ones as they are now, those that left them since the archive was read, the archive's newest, and
 * what was read further back. Each workflow once, the first that knows it counts.
 */
export function mergeRows(...sources: readonly (readonly WorkflowRow[])[]): WorkflowRow[] {
  const rows = new Map<string, WorkflowRow>();
  for (const source of sources) for (const row of source) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()].toSorted(inOrder);
}

/** The same array while it holds the same rows, so that nothing is drawn anew for it. */
export function kept<Row>(before: readonly Row[], now: readonly Row[]): readonly Row[] {
  return before.length === now.length && now.every((row, index) => row === before[index]) ? before : now;
}
