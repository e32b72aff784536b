/** Starts Windows programs under Wine, and converts paths between the two systems. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { makeWinePrefix, wineEnvironment } from '../../build/setup/winePrefix.mjs';

let newPrefix: string | null = null;

/** Returns the full path of the Wine prefix in which programs run. */
export function winePrefix(): string {
  return newPrefix ?? inject('winePrefix');
}

/** Runs the programs of a test file in a new Wine prefix, in which nothing is installed. */
export function useNewPrefix(): void {
  let remove = (): void => undefined;
  beforeAll(() => {
    ({ prefix: newPrefix, remove } = makeWinePrefix());
  });
  afterAll(() => remove());
}

/** The profile of the account under which Wine runs everything. */
export const profile = `C:\\users\\${userInfo().username}`;

/** Returns the path on this system of a Windows path such as `C:\lab\.env`. */
export function unixPath(path: string): string {
  const [drive = '', ...rest] = path.split('\\');
  return join(winePrefix(), 'dosdevices', drive.toLowerCase(), ...rest);
}

/** Writes files by their Windows paths. */
export function writeFiles(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(unixPath(path)), { recursive: true });
    writeFileSync(unixPath(path), text);
  }
}

/** Creates an empty folder on drive C:. @returns its Windows path */
export function makeFolder(): string {
  const parent = unixPath('C:\\labs');
  mkdirSync(parent, { recursive: true });
  return `C:\\labs\\${mkdtempSync(join(parent, 'lab-')).split('/').at(-1)}`;
}

export interface WindowsProgram {
  /** Standard output and error so far. */
  output(): string;
  /** Resolves with the exit code when the program has ended. */
  readonly exitCode: Promise<number | null>;
  /** Whether Node runs or has run. Under load, Wine can end a program before that. */
  hasStarted(): boolean;
  /** Sends Ctrl+C. */
  interrupt(): void;
  kill(): void;
}

export interface StartOptions {
  /** A Windows path; the root of drive C: by default. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts Windows' Node. @param args the arguments of Node */
export function startNode(args: readonly string[], { cwd = 'C:', env = {} }: StartOptions = {}): WindowsProgram {
  return startProgram([process.env['LAB_MANAGER_WINDOWS_NODE'] ?? '', ...args], { cwd, env });
}

/** Starts a Windows program. @param command its path, on this system or on Windows, and its arguments */
export function startProgram(command: readonly string[], { cwd = 'C:', env = {} }: StartOptions = {}): WindowsProgram {
  const prefix = winePrefix();
  const folder = mkdtempSync(join(prefix, 'output-'));
  const [file, started] = [join(folder, 'output.txt'), join(folder, 'started')];
  // Node under Wine refuses a Unix pipe as its output.
  const output = openSync(file, 'a');
  const child = spawn('wine', command, {
    cwd: unixPath(cwd),
    env: { ...wineEnvironment(prefix), LAB_MANAGER_WINE_STARTED: `Z:${started}`, ...env },
    stdio: ['ignore', output, output],
    detached: true,
  });
  closeSync(output);
  const exitCode = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  return {
    output: () => readFileSync(file, 'utf8').replaceAll('\r\n', '\n'),
    exitCode,
    hasStarted: () => existsSync(started),
    interrupt: () => void child.kill('SIGINT'),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Waits until the output of a program matches. @throws Error if the program ends before that, or after 30 s */
export async function waitForOutput(program: WindowsProgram, pattern: RegExp): Promise<RegExpExecArray> {
  let hasEnded = false;
  void program.exitCode.then(() => (hasEnded = true));
  for (const end = Date.now() + 30_000; ;) {
    const isLast = hasEnded || Date.now() > end;
    const match = pattern.exec(program.output());
    if (match !== null) return match;
    if (isLast) throw new Error(`Not printed: ${pattern}\n${program.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
