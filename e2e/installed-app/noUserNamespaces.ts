/**
 * Runs programs where the kernel refuses user namespaces, without changing this machine: in a user namespace whose own
 * limit is 0, or in a changed root directory. In the namespace all users are mapped to themselves, so that root's set-uid
 * programs belong to root.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSandbox } from '../../build/setup/sandbox.mjs';

/** Whether this machine permits user namespaces for an ordinary user's app. */
export const permitsNamespaces = ensureSandbox(process.env['LAB_MANAGER_RUNTIME'] ?? '').kind === 'namespaces';

/** Whether Chromium can use any sandbox here; otherwise the app opens no window. `npm test` sets the variable. */
export const canOpenWindow = process.env['LAB_MANAGER_WINDOW'] !== 'none';

export interface NoUserNamespaces {
  /** The command that runs another command without user namespaces. */
  readonly command: readonly string[];
  stop(): void;
}

/** Maps every user and group to itself. Source: user_namespaces(7). */
const everyone = '0 0 4294967295';
const limit = '/proc/sys/user/max_user_namespaces';

/** Creates a namespace in which the limit is 0. Needs root, unless the machine itself refuses namespaces. */
export async function withoutUserNamespaces(): Promise<NoUserNamespaces> {
  if (!permitsNamespaces) return { command: [], stop: () => undefined };
  // The holder prints a line once it is in its namespace, which exists until the holder's input ends.
  const holder = spawn('unshare', ['--user', 'sh', '-c', 'echo ready; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(holder.stdout, 'data'),
    once(holder, 'exit').then(() =>
      Promise.reject(new Error('unshare --user ended at once: root needs a user namespace')),
    ),
  ]);
  for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${holder.pid}/${map}`, everyone);
  const command = ['nsenter', `--user=/proc/${holder.pid}/ns/user`, '--'];
  const [enter = '', ...inside] = command;
  // The limit applies to the namespace of the program that writes it.
  execFileSync(enter, [...inside, 'sh', '-c', `echo 0 > ${limit}`]);
  return { command, stop: () => void holder.kill() };
}

/**
 * Runs programs in a root directory that contains the same files: the kernel refuses user namespaces there, also to root.
 * Source: unshare(2), EPERM in a chroot environment. Needs root.
 */
function inChangedRoot(): NoUserNamespaces {
  const directory = mkdtempSync(join(tmpdir(), 'root-'));
  // The mounts exist only in the namespace of the program.
  const script = 'mount --rbind / "$0" && exec chroot "$0" "$@"';
  const command = ['unshare', '--mount', '--propagation', 'slave', 'sh', '-c', script, directory];
  return { command, stop: () => rmdirSync(directory) };
}

/** The ways in which the kernel refuses user namespaces in the tests. */
export const refusals = [
  { refusal: 'a limit of 0', refuse: withoutUserNamespaces },
  { refusal: 'a changed root directory', refuse: async () => inChangedRoot() },
] as const;
