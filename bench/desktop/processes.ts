/** Processes under measurement: starts them, waits until they listen, measures and ends them. */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const projectRoot = join(import.meta.dirname, '../..');

export interface MeasuredProcess {
  readonly child: ChildProcess;
  /** From the spawn to the first accepted connection, in milliseconds. */
  readonly startMs: number;
  stop(): Promise<void>;
}

/**
 * Starts a Node program that will listen on `port`. Its home is empty unless `prepare` fills it, and its settings are
 * the arguments.
 * @param preloaded a module that runs before the program, with an IPC channel to this process
 */
export async function startNodeProgram(
  program: string,
  args: readonly string[],
  port: number,
  prepare: (home: string) => Promise<void> = () => Promise.resolve(),
  preloaded: string | null = null,
): Promise<MeasuredProcess> {
  const home = await mkdtemp(join(tmpdir(), 'bench-'));
  await prepare(home);
  const registry = join(home, 'registry.json');
  const env = { PATH: process.env['PATH'], HOME: home, NODE_ENV: 'production', MADSCI_REGISTRY_PATH: registry };
  const started = performance.now();
  const options = preloaded === null ? [] : ['--import', preloaded];
  const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', ...(preloaded === null ? [] : (['ipc'] as const))];
  const child = spawn(process.execPath, [...options, program, ...args], { env, cwd: home, stdio });
  await waitUntilListening(port, child);
  const startMs = performance.now() - started;
  return {
    child,
    startMs,
    stop: async () => {
      if (isRunning(child)) {
        const exited = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await exited;
      }
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Resident memory of a process in MB, from /proc. */
export async function readResidentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** A process that a signal ended has no exit code. */
function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function waitUntilListening(port: number, child: ChildProcess): Promise<void> {
  while (isRunning(child)) {
    if (await canConnect(port)) return;
    await sleep(2);
  }
  throw new Error(
    `${child.spawnargs.join(' ')} ended with ${child.exitCode ?? child.signalCode} before it listened on ${port}`,
  );
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
