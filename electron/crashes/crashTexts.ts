/** Describes ended processes for the crash record, from Chromium's details. */
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

/** The code that starts these two processes also reports their exits. */
const separatelyReported: ReadonlySet<string> = new Set(['Lab Manager service', 'Demo lab']);

const reasonTexts: Readonly<Record<string, string>> = {
  'abnormal-exit': 'ended by itself',
  killed: 'was terminated externally',
  crashed: 'crashed',
  oom: 'ran out of memory',
  'launch-failed': 'could not be started',
  'integrity-failure': 'was refused: its program was changed',
  'memory-eviction': 'was ended to free memory',
};

/** Reasons that the end of the app never causes, so that the crash is recorded without a wait for that end. */
const immediateReasons: ReadonlySet<string> = new Set(['crashed', 'oom', 'integrity-failure', 'memory-eviction']);

interface ProcessCrash extends Pick<Crash, 'process' | 'reason' | 'exitCode'> {
  /** Whether it can be recorded at once, because the end of the app is never its cause. */
  readonly isImmediate: boolean;
}

/** Returns the crash to record; `null` for an exit that is not a crash, or that is reported already. */
export function describeCrash(ended: EndedProcess): ProcessCrash | null {
  const { type, name, reason, exitCode } = ended;
  if (reason === 'clean-exit' || (name !== undefined && separatelyReported.has(name))) return null;
  const process = type === 'Tab' ? 'page' : type === 'GPU' ? 'gpu' : 'other';
  const processName = process === 'other' ? `${name ?? type} ` : '';
  const exitCodeText = exitCode === 0 ? '' : ` (exit code ${exitCode})`;
  return {
    process,
    reason: `${processName}${reasonTexts[reason] ?? reason}${exitCodeText}`,
    exitCode,
    isImmediate: immediateReasons.has(reason),
  };
}
