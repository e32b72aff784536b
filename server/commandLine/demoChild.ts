/** Runs the demo lab as a child of this Node process. */
import { fork, type ChildProcess } from 'node:child_process';
import { demoStarted, type RunningDemo } from '../lifecycle/demo.ts';

/**
 * @param entry full path of the demo lab's program
 * @returns the running demo lab and its process ID, once its managers respond
 * @throws Error if it exits or sends no output for 20 s
 */
export async function startDemoChild(entry: string): Promise<RunningDemo & { readonly pid: number }> {
  const child = fork(entry, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code) => resolve(`exit code ${code}`));
  });
  const started = await demoStarted(child, ended);
  return { ...started, pid: child.pid ?? 0, stop: () => waitForExit(child) };
}

function waitForExit(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
