/** The data of the Logs window. Validated on arrival. */
import * as z from 'zod/mini';

/** Lowest first. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
const logSources = ['service', 'app'] as const;

const logEntry = z.object({
  /** Unique while the window is open; not ordered by time. */
  id: z.int(),
  source: z.enum(logSources),
  /** The log's format: `2026-11-22 14:02:11.123`; empty for a line without a time. */
  time: z.string(),
  /** `null` for a line that is not in the format of the app's logs. */
  level: z.nullable(z.enum(logLevels)),
  scope: z.string(),
  text: z.string(),
});
export type LogEntry = z.infer<typeof logEntry>;

export const logFilter = z.object({
  /** This level and those above it; a line without a level counts as `info`. */
  level: z.enum(logLevels),
  source: z.nullable(z.enum(logSources)),
  /** Words that must all occur in the line or its scope; case-insensitive. */
  text: z.string().check(z.maxLength(200)),
});
export type LogFilter = z.infer<typeof logFilter>;

/** The maximum length of a text copied from the window, in characters. */
export const maxCopyLength = 2_000_000;

/** Response to `log-start`, `log-older` and `log-newer`: lines that pass the filter, the oldest first. */
export const logBatch = z.object({
  entries: z.array(logEntry),
  /** Whether the lines begin at the start of the log: there are no older ones. */
  isStart: z.boolean(),
  /** Bytes skipped because too much was written since the last read. */
  skippedBytes: z.int(),
  /** The log that can't be read, with the reason; the other log is still read. `null` if both are readable. */
  failure: z.nullable(z.string()),
});
export type LogBatch = z.infer<typeof logBatch>;

/** Returns whether a line passes the filter. */
export function passesFilter(entry: Omit<LogEntry, 'id'>, { level, source, text }: LogFilter): boolean {
  if (source !== null && entry.source !== source) return false;
  if (logLevels.indexOf(entry.level ?? 'info') < logLevels.indexOf(level)) return false;
  const line = `${entry.scope} ${entry.text}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => line.includes(word));
}
