/** A program under test, in a process group of its own: what it says, which processes it has, and its end. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Program {
  /** What it wrote so far, to both outputs. */
  output(): string;
  /** Its living processes, the one that was started among them. */
  processes(): LivingProcess[];
  /** Its first process's end. */
  readonly exit: Promise<ExitStatus>;
  /** Asks it to end. Resolves with its exit code and how long that took, in milliseconds. */
  end(): Promise<{ code: number | null; ms: number }>;
  /** Ends whatever is left, without asking. */
  kill(): void;
}

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface LivingProcess {
  readonly pid: number;
  /** Path of the program it runs; `null` where we may not see it. */
  readonly program: string | null;
  readonly commandLine: readonly string[];
}

/** An ID registry of the tests' own, so that the one in the home directory stays as it is. */
export const testRegistry = join(tmpdir(), `lab-manager-registry-${process.pid}`, 'registry.json');

/** Our own environment without anything that is a setting. */
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
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = new Promise<ExitStatus>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const group = child.pid ?? 0;
  return {
    output: () => output,
    processes: () => processesOfGroup(group),
    exit,
    end: async () => {
      const started = performance.now();
      const main = processesOfGroup(group).find(isMain);
      process.kill(main?.pid ?? group, 'SIGTERM');
      const { code } = await exit;
      return { code, ms: performance.now() - started };
    },
    kill: () => {
      for (const { pid } of processesOfGroup(group)) signalLiving(pid, 'SIGKILL');
    },
  };
}

/** Signals a process that was listed, unless it has ended since. */
export function signalLiving(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    return; // It ended since it was listed.
  }
}

/** The app's first process: its helpers say what they are, in arguments or, where Chromium names them anew, in one text. */
export function isMain({ program, commandLine }: LivingProcess): boolean {
  const isApp = program?.endsWith('/lab-manager') ?? false;
  return isApp && !commandLine.join(' ').includes(' --type=');
}

/** Processes of a group that still run; one that only waits to be counted by its parent has ended. */
function processesOfGroup(group: number): LivingProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = read(`/proc/${name}/stat`);
      // After the name in brackets: state, parent, group.
      const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(itsGroup) !== group || state === 'Z' || state === 'X') return [];
      const commandLine = read(`/proc/${name}/cmdline`).split('\0');
      return [{ pid: Number(name), program: programOf(name), commandLine }];
    });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return ''; // It ended while we looked.
  }
}

function programOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return null; // It ended while we looked, or is another user's.
  }
}

/** A port of this machine that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * Waits for `look` to find something, while the program runs.
 * @throws Error with what the program said, after `timeoutMs`
 */
export async function until<Found>(
  program: Program,
  what: string,
  look: () => Promise<Found | null>,
  timeoutMs = 20_000,
): Promise<Found> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const found = await look();
    if (found !== null) return found;
    await sleep(50);
  }
  throw new Error(`${what} did not come within ${timeoutMs / 1000} s. The program said:\n${program.output()}`);
}

/** Waits until no process of it is left: helpers end a moment after the program they help. */
export async function untilEnded(program: Program): Promise<void> {
  const look = async () => (program.processes().length === 0 ? true : null);
  await until(program, 'the end of every process', look, 3000);
}

/** The answer of `GET path`, or `null` as long as nobody answers with 200. */
export async function answer(port: number, path: string): Promise<{ type: string; body: string } | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2000) });
    return response.ok ? { type: response.headers.get('content-type') ?? '', body: await response.text() } : null;
  } catch {
    return null; // Not yet: the caller asks again until its time is over.
  }
}
