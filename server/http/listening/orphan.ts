/**
 * Kills a hung, orphaned service process of this app: it occupies the port without responding, and its shell no longer
 * exists. On Linux it is identified by its program and its parent; other operating systems end it with its shell.
 */
import { readFile, readlink } from 'node:fs/promises';
import { clock } from '#api/time/clock.ts';
import { pause } from '#api/time/pause.ts';
import { errorText } from '#api/errorText.ts';
import type { Log } from '../../logging/log.ts';
import { isPortInUse, processOnPort } from '../../net/portOwner.ts';

/** Time in which the port must become free after its owner was killed, in milliseconds. */
const portReleaseMs = 2000;

export interface ProcessDetails {
  /** The program it runs; `null` if not readable. */
  readonly program: string | null;
  readonly commandLine: string;
  /** The program of its parent; `null` if that is the system's first process or not readable. */
  readonly parentProgram: string | null;
}

/**
 * Whether a process is a service of this app without its shell.
 * @param ownProgram the current program
 */
export function isOrphan({ program, commandLine, parentProgram }: ProcessDetails, ownProgram: string): boolean {
  const isService = commandLine.includes('--type=utility');
  return isService && program === ownProgram && parentProgram !== ownProgram;
}

/** Kills the orphan that uses the port. @returns whether there was one and the port is free now */
export async function endOrphan(port: number, log: Log): Promise<boolean> {
  const owner = await processOnPort(port);
  const pid = Number.parseInt(owner ?? '', 10);
  if (Number.isNaN(pid) || pid === process.pid) return false;
  const executable = (await readProgram(process.pid)) ?? process.execPath;
  if (!isOrphan(await readProcess(pid), executable)) return false;
  log.warn(`Port ${port} is held by a lab manager service without its app (process ${pid}); killing it`);
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    log.warn(`It could not be killed: ${errorText(error)}`);
    return false;
  }
  const deadline = clock.monotonic() + portReleaseMs;
  while (await isPortInUse('127.0.0.1', port)) {
    if (clock.monotonic() > deadline) return false;
    await pause(50);
  }
  return true;
}

async function readProcess(pid: number): Promise<ProcessDetails> {
  const status = await readTextOrEmpty(`/proc/${pid}/status`);
  const parent = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? 0);
  return {
    program: await readProgram(pid),
    commandLine: (await readTextOrEmpty(`/proc/${pid}/cmdline`)).replaceAll('\0', ' '),
    parentProgram: parent > 1 ? await readProgram(parent) : null,
  };
}

/** A process may exit while /proc is read, so an unreadable one is treated as exited. */
const readTextOrEmpty = (path: string) => readFile(path, 'utf8').catch(() => '');
const readProgram = (pid: number) => readlink(`/proc/${pid}/exe`).catch(() => null);
