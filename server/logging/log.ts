/** Python's logging levels; numbers 10…50 in the settings are converted to these. */
export const logLevels = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The service's logger interface; `logFile.ts` implements it, tests collect lines. */
export interface Log {
  debug(message: string, details?: Readonly<Record<string, unknown>>): void;
  info(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
  error(message: string, details?: Readonly<Record<string, unknown>>): void;
  /** The same log under another scope name. */
  scope(name: string): Log;
}

/** A log that discards all lines, for code without a logger. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  scope: () => silentLog,
};

/**
 * A log that forwards to the current one, for code that gets it before the log is opened. @param current called for each
 * line
 */
export function deferredLog(current: () => Log): Log {
  return {
    debug: (message, details) => current().debug(message, details),
    info: (message, details) => current().info(message, details),
    warn: (message, details) => current().warn(message, details),
    error: (message, details) => current().error(message, details),
    scope: (name) => deferredLog(() => current().scope(name)),
  };
}
