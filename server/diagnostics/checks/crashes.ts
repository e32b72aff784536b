/** Checks whether the app or the service crashed recently. */
import { clock } from '#api/time/clock.ts';
import { join } from 'node:path';
import { errorText } from '#api/errorText.ts';
import { crashFileName, quarantineCrashes, readCrashes, type Crash } from '../../storage/crashFile.ts';
import { LockedFileError } from '../../storage/lockedFiles.ts';
import { finding, type Check, type CheckContext, type Finding } from './check.ts';
import { quoteForShell } from '../../logging/text.ts';

/** The number of past days covered. */
const crashDays = 7;

const names: Readonly<Record<Crash['process'], string>> = {
  app: 'the app',
  service: 'the service',
  page: 'a page',
  gpu: 'the graphics process',
  other: 'a helper process',
  'app-error': 'an error in the app that it survived',
};

/** @param now ms since the epoch */
export function crashesFinding(crashes: readonly Crash[], now: number): Finding {
  const recent = crashes.filter(({ at }) => now - Date.parse(at) < crashDays * 86_400_000);
  const last = recent.at(-1);
  if (last === undefined) return finding('ok', `No crash in the last ${crashDays} days.`);
  const survived = recent.filter((crash) => crash.process === 'app-error').length;
  const counts = Object.entries(names).flatMap(([process, name]) => {
    const count = recent.filter((crash) => crash.process === process).length;
    return count === 0 || process === 'app-error' ? [] : [`${name} (${count})`];
  });
  const ends = counts.length === 0 ? 'none' : counts.join(', ');
  const errors = survived === 0 ? '' : ` Errors in the app that it survived: ${survived}.`;
  const { at, process, reason, version } = last;
  const onlyGraphics = recent.every((crash) => crash.process === 'gpu');
  return finding(
    'warning',
    `Unexpected ends in the last ${crashDays} days: ${ends}.${errors} Last: ${at.slice(0, 16).replace('T', ' ')} UTC, version ${version}, ${names[process]}: ${reason}.`,
    onlyGraphics
      ? 'Update the graphics driver of this machine. If it happens again, save the diagnostics and ask for help.'
      : 'Check the log around that time. If it happens again, save the diagnostics and ask for help.',
    { id: 'show-logs', label: 'Show logs', command: null },
  );
}

export const crashes: Check = {
  id: 'crashes',
  title: 'Crashes',
  guide: 'troubleshooting.html#crashes',
  why: 'A crashed process is restarted, but the lab is not watched meanwhile, and a crashed page may lose typed text.',
  async run(context) {
    const folder = logFolder(context);
    const path = join(folder, crashFileName);
    try {
      return crashesFinding(await readCrashes(folder), clock.now());
    } catch (error) {
      const what = `${errorText(error)}.`;
      if (isLocked(error)) return finding('unknown', what, 'Close that program, then check again.');
      return finding('unknown', what, 'Move that file away; a new one is written.', {
        id: 'put-aside-crashes',
        label: 'Put it aside',
        command: moveCommand(path),
      });
    }
  },
  async fix(context) {
    const folder = logFolder(context);
    // Only a file that cannot be read is moved, as in the finding.
    await readCrashes(folder).catch((error: unknown) => {
      if (isLocked(error)) throw error;
      return quarantineCrashes(folder);
    });
  },
};

/** The content may be intact: another program has the file open. */
function isLocked(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof LockedFileError;
}

/** The equivalent shell command; `null` on Windows, whose shells have different quoting rules. */
function moveCommand(path: string): string | null {
  return process.platform === 'win32' ? null : `mv ${quoteForShell(path)} ${quoteForShell(`${path}.damaged`)}`;
}

function logFolder({ folders }: CheckContext): string {
  return folders.find(({ use }) => use === 'log')?.path ?? '';
}
