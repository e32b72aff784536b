/**
 * The user who starts the app: an ordinary one, for whom Chromium's sandbox works. If root runs the tests it is `nobody`,
 * which every system has, so that no user must be created; otherwise it is the current user.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface OrdinaryUser {
  readonly uid: number;
  /** The prefix that makes a command run as this user. The command keeps its process ID. */
  readonly command: readonly string[];
  /** Makes the user the owner of root's files in a directory, which running programs may change meanwhile. */
  chown(directory: string): void;
  canRead(file: string): boolean;
}

export function ordinaryUser(): OrdinaryUser {
  const currentUid = process.getuid?.() ?? 0;
  if (currentUid !== 0) {
    return { uid: currentUid, command: [], chown: () => undefined, canRead: (file) => isReadable([], file) };
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
    chown: (directory) => {
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
