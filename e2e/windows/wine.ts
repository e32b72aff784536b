/** Programs of Windows under Wine: started in a folder of drive C: or D:, with their output and their end. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { wineEnvironment } from '../../build/setup/winePrefix.mjs';

/** The profile of the account under which Wine runs everything. */
export const profile = `C:\\users\\${userInfo().username}`;

/** Where a path of Windows is for this process: `C:\lab\.env`. */
export function unixPath(path: string): string {
  const [drive = '', ...rest] = path.split('\\');
  return join(inject('winePrefix'), 'dosdevices', drive.toLowerCase(), ...rest);
}

/** Writes files by their Windows paths. */
export function writeFiles(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(unixPath(path)), { recursive: true });
    writeFileSync(unixPath(path), text);
  }
}

/** An empty folder of its own on drive C:. @returns its path of Windows */
export function makeFolder(): string {
  const parent = unixPath('C:\\labs');
  mkdirSync(parent, { recursive: true });
  return `C:\\labs\\${mkdtempSync(join(parent, 'lab-')).split('/').at(-1)}`;
}

export interface WindowsProgram {
  /** What it has printed so far, on both outputs. */
  output(): string;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  /** Ctrl+C. */
  interrupt(): void;
  kill(): void;
}

export interface StartOptions {
  /** Path of Windows; drive C: by default. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts Windows' Node. @param args of Node itself */
export function startNode(args: readonly string[], { cwd = 'C:', env = {} }: StartOptions = {}): WindowsProgram {
  const prefix = inject('winePrefix');
  const file = join(mkdtempSync(join(prefix, 'output-')), 'output.txt');
  // A pipe of Unix is no valid output for Node under Wine.
  const output = openSync(file, 'a');
  const child = spawn('wine', [process.env['LAB_MANAGER_WINDOWS_NODE'] ?? '', ...args], {
    cwd: unixPath(cwd),
    env: { ...wineEnvironment(prefix), ...env },
    stdio: ['ignore', output, output],
    detached: true,
  });
  closeSync(output);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  return {
    output: () => readFileSync(file, 'utf8').replaceAll('\r\n', '\n'),
    ended,
    interrupt: () => void child.kill('SIGINT'),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Waits until a program has printed what matches; fails as soon as it has ended without it. @returns the match */
export async function untilPrinted(program: WindowsProgram, pattern: RegExp): Promise<RegExpExecArray> {
  let hasEnded = false;
  void program.ended.then(() => (hasEnded = true));
  for (const end = Date.now() + 30_000; ;) {
    const isLast = hasEnded || Date.now() > end;
    const found = pattern.exec(program.output());
    if (found !== null) return found;
    if (isLast) throw new Error(`Not printed: ${pattern}\n${program.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
