/**
 * Programs started as on a kernel that gives nobody a user namespace, without changing this machine: they run in one
 * whose own limit is 0. All users are themselves in it, so that root's set-uid programs are root's.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { ensureSandbox } from '../../build/setup/sandbox.mjs';

/** Whether the app of an ordinary user gets user namespaces on this machine itself. */
export const permitsNamespaces = ensureSandbox(process.env['LAB_MANAGER_RUNTIME'] ?? '').kind === 'namespaces';

/** Whether Chromium can have any sandbox here; without one the app opens no window. `npm test` sets it. */
export const canOpenWindow = process.env['LAB_MANAGER_WINDOW'] !== 'none';

export interface NoUserNamespaces {
  /** To be put before a command. */
  readonly command: readonly string[];
  stop(): void;
}

/** Every user and group, as themselves. Source: user_namespaces(7). */
const everyone = '0 0 4294967295';
const limit = '/proc/sys/user/max_user_namespaces';

/** Needs root, except where the machine itself refuses namespaces. */
export async function withoutUserNamespaces(): Promise<NoUserNamespaces> {
  if (!permitsNamespaces) return { command: [], stop: () => undefined };
  // It says when it is in its namespace, which lives as long as it does: until its input ends.
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
  // The limit is that of the namespace whose program writes it.
  execFileSync(enter, [...inside, 'sh', '-c', `echo 0 > ${limit}`]);
  return { command, stop: () => void holder.kill() };
}
