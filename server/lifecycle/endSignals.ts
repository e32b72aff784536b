/** Signals with which people, sessions and other programs end a program normally. */
import { constants } from 'node:os';

export const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const satisfies readonly NodeJS.Signals[];

/** The exit code of a program that was ended by a signal, as in a shell. */
function signalExitCode(signal: (typeof endSignals)[number]): number {
  return 128 + constants.signals[signal];
}

/**
 * Whether an exit code is that of a normal end from outside: as in a shell, the bare signal number, or 0, which Electron
 * reports for some processes ended by a signal.
 */
export function isEndSignalCode(code: number): boolean {
  return (
    code === 0 || endSignals.some((signal) => code === signalExitCode(signal) || code === constants.signals[signal])
  );
}

/**
 * A logout and Ctrl+C end every process of the app, in any order. A process terminated externally counts as unexpected only
 * if the app still runs this much later, in milliseconds.
 */
export const appExitGraceMs = 500;
