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

/** Text of an unknown thrown value, without its stack. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
