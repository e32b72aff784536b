/** Python's logging levels; numbers 10…50 in the settings are turned into these. */
export const logLevels = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What the service needs of a logger; `electronLog.ts` is the real one, tests collect lines. */
export interface Log {
  debug(message: string, details?: Readonly<Record<string, unknown>>): void;
  info(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
  error(message: string, details?: Readonly<Record<string, unknown>>): void;
  /** The same log under another scope name. */
  scope(name: string): Log;
}

/** A log that nobody reads, for code that is used without one. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  scope: () => silentLog,
};

/** The log of the moment, for who was given one before it was opened. @param current asked at each line */
export function lateLog(current: () => Log): Log {
  return {
    debug: (message, details) => current().debug(message, details),
    info: (message, details) => current().info(message, details),
    warn: (message, details) => current().warn(message, details),
    error: (message, details) => current().error(message, details),
    scope: (name) => lateLog(() => current().scope(name)),
  };
}
