/** A program under test, in a separate process group: its output, its processes, and its end. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Program {
  /** The output so far, stdout and stderr. */
  output(): string;
  /** Whether the output is complete: every process has closed the streams, and they have been read to the end. */
  isOutputComplete(): boolean;
  /** Its running processes, including the first one. */
  processes(): RunningProcess[];
  /** Resolves when its first process ends. */
  readonly exit: Promise<ExitStatus>;
  /** Requests the end of the program. Resolves with its exit code. */
  end(): Promise<number | null>;
  /** Kills all remaining processes. */
  kill(): void;
}

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningProcess {
  readonly pid: number;
  /** Path of the program; `null` if it is not readable. */
  readonly program: string | null;
  readonly commandLine: readonly string[];
}

/** A separate ID registry for the tests, so that the one in the home directory stays unchanged. */
export const testRegistry = join(tmpdir(), `lab-manager-registry-${process.pid}`, 'registry.json');

/** Returns this process's environment without settings of the lab, Node and Vitest, and with the variables in `more`. */
export function plainEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const stored = Object.entries(process.env).filter(
    ([name]) => !/^(LAB|MADSCI)_|_SERVER_URL$|^(NODE|VITEST)/.test(name),
  );
  return { ...Object.fromEntries(stored), MADSCI_REGISTRY_PATH: testRegistry, ...more };
}

export function startProgram(command: readonly string[], env: NodeJS.ProcessEnv, cwd = '/'): Program {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let isClosed = false;
  child.once('close', () => (isClosed = true));
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = new Promise<ExitStatus>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const group = child.pid ?? 0;
  return {
    output: () => output,
    isOutputComplete: () => isClosed,
    processes: () => listProcesses(group),
    exit,
    end: async () => {
      const main = listProcesses(group).find(isMainProcess);
      process.kill(main?.pid ?? group, 'SIGTERM');
      return (await exit).code;
    },
    kill: () => {
      for (const { pid } of listProcesses(group)) signalIfRunning(pid, 'SIGKILL');
    },
  };
}

/** Sends a signal to a process, unless it has ended. */
export function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    return; // The process has ended since it was listed.
  }
}

/**
 * Returns whether a process is the app's main process: all others have a `--type`, as an argument or within one string
 * if Chromium rewrites the command line.
 */
export function isMainProcess({ program, commandLine }: RunningProcess): boolean {
  const isApp = program?.endsWith('/lab-manager') ?? false;
  return isApp && !commandLine.join(' ').includes(' --type=');
}

/** Returns the running processes of a group, without zombies and exiting ones. */
function listProcesses(group: number): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readOrEmpty(`/proc/${name}/stat`);
      // The fields after the name in parentheses: state, parent, group.
      const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(processGroup) !== group || state === 'Z' || state === 'X') return [];
      const commandLine = readOrEmpty(`/proc/${name}/cmdline`);
      const program = readProgram(name);
      // A process that is exiting has released both before it is a zombie.
      if (commandLine === '' && program === null) return [];
      return [{ pid: Number(name), program, commandLine: commandLine.split('\0') }];
    });
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return ''; // The process has ended meanwhile.
  }
}

function readProgram(pid: string): string | null {
  try {
    // Linux marks a program whose file was replaced.
    return readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
  } catch {
    return null; // The process has ended meanwhile, or belongs to another user.
  }
}

/**
 * Waits until `find` returns a value other than `null`.
 * @throws Error with the program's output, after `timeoutMs`
 */
export async function waitFor<Found>(
  program: Program,
  description: string,
  find: () => Promise<Found | null>,
  timeoutMs = 20_000,
): Promise<Found> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const result = await find();
    if (result !== null) return result;
    await sleep(50);
  }
  throw new Error(`Timeout of ${timeoutMs / 1000} s for ${description}. Output of the program:\n${program.output()}`);
}

/** Waits until all processes of a program have ended: helpers end a moment after the main process. */
export async function waitForProcessesToEnd(program: Program): Promise<void> {
  const find = async () => (program.processes().length === 0 ? true : null);
  await waitFor(program, 'the end of every process', find, 10_000);
}

/** Resolves with the complete output of a program that ends by itself. Output can arrive after the end of its processes. */
export async function readCompleteOutput(program: Program): Promise<string> {
  await waitFor(program, 'the end of its output', async () => (program.isOutputComplete() ? true : null));
  return program.output();
}

/** Returns the response to `GET path`; `null` as long as there is none with status 200. */
export async function fetchText(port: number, path: string): Promise<{ type: string; body: string } | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2000) });
    return response.ok ? { type: response.headers.get('content-type') ?? '', body: await response.text() } : null;
  } catch {
    return null; // The program does not listen yet.
  }
}
