/** Describes why a process ended. */
import { constants } from 'node:os';

const causes: Readonly<Partial<Record<NodeJS.Signals, string>>> = {
  SIGKILL: 'was terminated externally, or by the system for lack of memory',
  SIGTERM: 'was terminated externally',
  SIGINT: 'was terminated externally',
  SIGHUP: 'was terminated externally',
  SIGSEGV: 'crashed',
  SIGABRT: 'crashed',
  SIGBUS: 'crashed',
  SIGILL: 'crashed',
  SIGTRAP: 'crashed',
};

/**
 * `was terminated externally, or by the system for lack of memory (SIGKILL)`, `stopped with exit code 1`.
 * @param code Electron's value for a utility process: the exit code, or the number of the signal that ended it
 */
export function describeExit(code: number): string {
  const signalEntry = Object.entries(constants.signals).find(([, number]) => number === code || number + 128 === code);
  const signal = signalEntry?.[0] as NodeJS.Signals | undefined;
  const cause = signal === undefined || isPlainCode(code) ? undefined : causes[signal];
  return cause === undefined ? `stopped with exit code ${code}` : `${cause} (${signal})`;
}

/** The numbers 1, 2 and 3 are usually exit codes rather than SIGHUP, SIGINT and SIGQUIT. */
function isPlainCode(code: number): boolean {
  return code <= 3;
}
