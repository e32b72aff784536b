/** What the Logs window is shown. Checked on arrival. */
import * as z from 'zod/mini';

/** The lowest first. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
const logSources = ['service', 'app'] as const;

const logEntry = z.object({
  /** Of its own in a window's life; not in the order of time. */
  id: z.int(),
  source: z.enum(logSources),
  /** As the log has it: `2026-11-22 14:02:11.123`; empty where the line has none. */
  time: z.string(),
  /** `null` for a line that no log of ours wrote. */
  level: z.nullable(z.enum(logLevels)),
  scope: z.string(),
  text: z.string(),
});
export type LogEntry = z.infer<typeof logEntry>;

export const logFilter = z.object({
  /** This level and those above it; a line without a level counts as `info`. */
  level: z.enum(logLevels),
  source: z.nullable(z.enum(logSources)),
  /** Words that the line or its scope has, all of them, in small or capital letters. */
  text: z.string().check(z.maxLength(200)),
});
export type LogFilter = z.infer<typeof logFilter>;

/** Longest text that is copied from the window, in characters. */
export const maxCopyLength = 2_000_000;

/** Answer to `log-start`, `log-older` and `log-newer`: lines that the filter lets through, the oldest first. */
export const logBatch = z.object({
  entries: z.array(logEntry),
  /** Nothing older is there. */
  isBegin: z.boolean(),
  /** So much was written meanwhile that this was left out, in bytes. */
  skippedBytes: z.int(),
  /** Which log can't be read, and why; the other one is read all the same. `null` where both can. */
  failure: z.nullable(z.string()),
});
export type LogBatch = z.infer<typeof logBatch>;

/** Whether a line is one that is looked for. Pure. */
export function passesFilter(entry: Omit<LogEntry, 'id'>, { level, source, text }: LogFilter): boolean {
  if (source !== null && entry.source !== source) return false;
  if (logLevels.indexOf(entry.level ?? 'info') < logLevels.indexOf(level)) return false;
  const line = `${entry.scope} ${entry.text}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => line.includes(word));
}
