/** Signals with which people, sessions and other programs end a program normally. */
import { constants } from 'node:os';

export const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const satisfies readonly NodeJS.Signals[];

/** The exit code of a program that was ended by a signal, as in a shell. */
function signalExitCode(signal: (typeof endSignals)[number]): number {
  return 128 + constants.signals[signal];
}

/**
 * Whether an exit code means that the process ended normally or by one of these signals: 0, which Electron also reports
 * for some signals, the code of a shell, or the signal's number.
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
