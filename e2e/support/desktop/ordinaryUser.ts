/**
 * Who starts the app as people do: an ordinary user, for whom Chromium's sandbox works. When the tests are run by root it
 * is `nobody`, whom every system has, so that no user need be made; otherwise it is whoever runs them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface OrdinaryUser {
  readonly uid: number;
  /** To be put before a command: it becomes that command, with the same process ID. */
  readonly command: readonly string[];
  /** Gives the user what is ours of a directory; a program of theirs may be at work in it. */
  own(directory: string): void;
  canRead(file: string): boolean;
}

export function ordinaryUser(): OrdinaryUser {
  const ourselves = process.getuid?.() ?? 0;
  if (ourselves !== 0) {
    return { uid: ourselves, command: [], own: () => undefined, canRead: (file) => isReadable([], file) };
  }
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':').map(Number) ?? [];
  if (uid === undefined || gid === undefined) throw new Error('/etc/passwd has no user nobody to start the app as');
  const command = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'];
  return {
    uid,
    command,
    own: (directory) => {
      const chown = ['-exec', 'chown', '--no-dereference', `${uid}:${gid}`, '{}', '+'];
      execFileSync('find', [directory, '-ignore_readdir_race', '-uid', '0', ...chown]);
    },
    canRead: (file) => isReadable(command, file),
  };
}

function isReadable(command: readonly string[], file: string): boolean {
  const [program = '', ...args] = [...command, 'test', '-r', file];
  return spawnSync(program, args).status === 0;
}
