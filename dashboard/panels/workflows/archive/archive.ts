/** The archive on the server's terms: the newest so many, more on demand, and what may be said of it. Pure. */
import { workflowsTexts } from '../texts.ts';
import { inOrder, type WorkflowRow } from '../workflowRow.ts';

const texts = workflowsTexts.archive;

/** How many are read again and again. */
export const newestCount = 50;
/** What can be asked for; 0 is all. */
export const archiveCounts = [newestCount, 200, 1000, 0] as const;

export interface ArchiveRead {
  readonly rows: readonly WorkflowRow[];
  /** How many were asked for; 0: all. */
  readonly asked: number;
}

/** `archive=200` of an address; anything else is the start. */
export function countFrom(text: unknown): number {
  if (text === 'all') return 0;
  const count = Number(text);
  return archiveCounts.includes(count as (typeof archiveCounts)[number]) && count !== 0 ? count : newestCount;
}

export function countText(count: number): string {
  return count === 0 ? 'all' : String(count);
}

/** What a button may load next. */
export function nextCounts(count: number): readonly number[] {
  const index = archiveCounts.findIndex((each) => each === count);
  const more = archiveCounts[index + 1];
  if (more === undefined) return [];
  return more === 0 ? [0] : [more, 0];
}

/** Whether an answer holds all there is: all were asked for, or fewer came than were asked for. */
export function isWhole({ rows, asked }: ArchiveRead): boolean {
  return asked === 0 || rows.length < asked;
}

export interface Scope {
  readonly words: string;
  readonly more: readonly number[];
}

/** How far the archive was searched. The server doesn't say how many there are, so neither does this. */
export function scopeOf(read: ArchiveRead): Scope {
  if (isWhole(read)) return { words: texts.whole(read.rows.length), more: [] };
  return { words: texts.newest(read.rows.length), more: nextCounts(read.asked) };
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
