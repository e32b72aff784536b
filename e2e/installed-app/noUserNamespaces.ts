/**
 * Runs programs as on a kernel that refuses user namespaces, without changing this machine: in a user namespace whose own
 * limit is 0. All users are mapped to themselves in it, so that root's set-uid programs belong to root.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { ensureSandbox } from '../../build/setup/sandbox.mjs';

/** Whether this machine permits user namespaces for an ordinary user's app. */
export const permitsNamespaces = ensureSandbox(process.env['LAB_MANAGER_RUNTIME'] ?? '').kind === 'namespaces';

/** Whether Chromium can use any sandbox here; without one the app opens no window. `npm test` sets it. */
export const canOpenWindow = process.env['LAB_MANAGER_WINDOW'] !== 'none';

export interface NoUserNamespaces {
  /** Put before a command. */
  readonly command: readonly string[];
  stop(): void;
}

/** Maps every user and group to itself. Source: user_namespaces(7). */
const everyone = '0 0 4294967295';
const limit = '/proc/sys/user/max_user_namespaces';

/** Needs root, unless the machine itself refuses namespaces. */
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
