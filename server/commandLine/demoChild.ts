/** Runs the demo lab as a child of this Node process. */
import { fork, type ChildProcess } from 'node:child_process';
import { demoReady, type RunningDemo } from '../lifecycle/demo.ts';

/** Timeout of the start in milliseconds; its managers usually respond within a second or two. */
const startTimeoutMs = 20_000;

/**
 * @param entry full path of the demo lab's program
 * @returns the running demo lab and its process ID, once its managers respond
 * @throws Error if it exits or sends no output for 20 s
 */
export async function startDemoChild(entry: string): Promise<RunningDemo & { readonly pid: number }> {
  const child = fork(entry, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const announced = await waitUntilReady(child);
  return { ...announced, pid: child.pid ?? 0, stop: () => waitForExit(child) };
}

function waitUntilReady(child: ChildProcess): Promise<Omit<RunningDemo, 'stop'>> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      child.kill();
      reject(new Error(`The demo lab did not start: ${reason}`));
    };
    const timer = setTimeout(() => fail('its managers do not answer'), startTimeoutMs);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`exit code ${code}`));
    child.on('message', (message) => {
      const announced = demoReady.safeParse(message);
      if (!announced.success) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve(announced.data);
    });
  });
}

function waitForExit(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
