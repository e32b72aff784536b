/** Signals by which people, sessions and other programs end a program in an ordinary way. */
import { constants } from 'node:os';

export const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const satisfies readonly NodeJS.Signals[];

/** What a program that was ended by a signal exits with, as a shell reports it. */
function signalExitCode(signal: (typeof endSignals)[number]): number {
  return 128 + constants.signals[signal];
}

/**
 * Whether an exit code is that of an ordinary end from outside: of a shell, the bare number of the signal, or 0, which Electron
 * reports for some processes that a signal ended.
 */
export function isEndSignalCode(code: number): boolean {
  return (
    code === 0 || endSignals.some((signal) => code === signalExitCode(signal) || code === constants.signals[signal])
  );
}

/**
 * A logout and Ctrl+C end every process of the app, in any order. One that ended from outside did so unexpectedly only when
 * the app still runs this much later, in milliseconds.
 */
export const appEndMs = 500;
