/** Describes ended processes for the crash record, from Chromium's details. Pure. */
import type { Crash } from '../../server/storage/crashFile.ts';

export interface EndedProcess {
  /** Electron's name of the kind: `GPU`, `Utility`, or `Tab` for the process of a page. */
  readonly type: string;
  /** The name that the process was given, if any. */
  readonly name?: string | undefined;
  /** Electron's name of the reason: `crashed`, `oom`, `killed`, `clean-exit` … */
  readonly reason: string;
  readonly exitCode: number;
}

/** The starters of these two processes watch them and report their exits. */
const watchedByUs: ReadonlySet<string> = new Set(['Lab Manager service', 'Demo lab']);

const text: Readonly<Record<string, string>> = {
  'abnormal-exit': 'ended by itself',
  killed: 'was terminated externally',
  crashed: 'crashed',
  oom: 'ran out of memory',
  'launch-failed': 'could not be started',
  'integrity-failure': 'was refused: its program was changed',
  'memory-eviction': 'was ended to free memory',
};

/** Reasons that neither a signal from outside nor a missing parent process explains. */
const ownFaults: ReadonlySet<string> = new Set(['crashed', 'oom', 'integrity-failure', 'memory-eviction']);

interface FoundCrash extends Pick<Crash, 'process' | 'reason' | 'exitCode'> {
  /** Whether it is a crash even when the app is about to end. */
  readonly isOwnFault: boolean;
}

/** Returns the crash to record; `null` for an exit that is not a crash, or that is reported already. */
export function crashOf(ended: EndedProcess): FoundCrash | null {
  const { type, name, reason, exitCode } = ended;
  if (reason === 'clean-exit' || (name !== undefined && watchedByUs.has(name))) return null;
  const process = type === 'Tab' ? 'page' : type === 'GPU' ? 'gpu' : 'other';
  const who = process === 'other' ? `${name ?? type} ` : '';
  const code = exitCode === 0 ? '' : ` (exit code ${exitCode})`;
  return { process, reason: `${who}${text[reason] ?? reason}${code}`, exitCode, isOwnFault: ownFaults.has(reason) };
}
