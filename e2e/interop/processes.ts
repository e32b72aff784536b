/**
 * Programs of the real lab, each in its own process group, so that ending it also ends its children. This process keeps
 * their standard input open: a program ends by itself once this process has ended (`python/parent.py`).
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, closeSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The time in ms in which a program may end by itself. */
const graceMs = 3000;

export interface ProgramOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The file for the program's output. */
  readonly logFile: string;
  /** The address that returns 200 when the program is ready. */
  readonly readyUrl: string;
}

const running = new Set<Program>();

/** Ends the programs when this process exits; after a kill, `python/parent.py` does. */
process.on('exit', () => {
  for (const program of running) program.kill('SIGKILL');
});

export class Program {
  readonly options: ProgramOptions;
  #child: ChildProcess | null = null;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: ProgramOptions) {
    this.options = options;
  }

  get isRunning(): boolean {
    return this.#child !== null;
  }

  /**
   * Resolves when the program responds; rejects with its last output when it ends or isn't ready within `timeoutMs`.
   */
  async start(timeoutMs = 60_000): Promise<void> {
    const { name, command, args, cwd, env, logFile, readyUrl } = this.options;
    const log = openSync(logFile, 'a');
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['pipe', log, log] });
    closeSync(log);
    this.#child = child;
    running.add(this);
    this.#ended = new Promise((resolve) => {
      const done = () => {
        this.#child = null;
        running.delete(this);
        resolve();
      };
      child.once('exit', done);
      child.once('error', done);
    });
    const deadline = Date.now() + timeoutMs;
    while (!(await isResponding(readyUrl))) {
      if (!this.isRunning) throw new Error(`${name} ended before it was ready:\n${this.lastOutput()}`);
      if (Date.now() > deadline) {
        await this.stop();
        throw new Error(`${name} did not answer within ${timeoutMs / 1000} s:\n${this.lastOutput()}`);
      }
      await sleep(100);
    }
  }

  /** Ends the program and waits for its exit. */
  async stop(): Promise<void> {
    if (!this.isRunning) return;
    this.kill('SIGTERM');
    const timer = setTimeout(() => this.kill('SIGKILL'), graceMs);
    await this.#ended;
    clearTimeout(timer);
  }

  kill(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // ESRCH: the process has just ended.
    }
  }

  lastOutput(): string {
    return readFileSync(this.options.logFile, 'utf8').slice(-3000);
  }
}

async function isResponding(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false; // Not listening yet.
  }
}
