/** Replaces `xdg-open`, and records each file and address that it receives. */
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { signalIfRunning } from './program.ts';

export interface Opener {
  /** The `PATH` on which programs find this opener before the real one. */
  readonly env: Readonly<Record<string, string>>;
  /** The files and addresses opened so far. */
  openedTargets(): Promise<readonly string[]>;
  /** Kills the hanging openers. */
  stop(): Promise<void>;
}

/** @param behaviour `hangs`: the opener does not end, as if it waited for a hanging program */
export async function startOpener(behaviour: 'opens' | 'hangs' = 'opens'): Promise<Opener> {
  const folder = await mkdtemp(join(tmpdir(), 'opener-'));
  const list = join(folder, 'opened');
  await writeFile(list, '');
  await chmod(folder, 0o777);
  await chmod(list, 0o666);
  const hanging = join(folder, 'hanging');
  await writeFile(hanging, '');
  await chmod(hanging, 0o666);
  const rest = behaviour === 'hangs' ? `echo $$ >>'${hanging}'\nexec sleep 600\n` : '';
  await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" >>'${list}'\n${rest}`, { mode: 0o755 });
  return {
    env: { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` },
    stop: async () => {
      for (const pid of (await readFile(hanging, 'utf8')).split('\n')) {
        if (pid !== '') signalIfRunning(Number(pid), 'SIGKILL');
      }
    },
    openedTargets: async () => (await readFile(list, 'utf8')).split('\n').filter((line) => line !== ''),
  };
}
