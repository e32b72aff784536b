/** Runs the installed lab manager on Windows. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { pickFreePort } from '../support/managers.ts';
import { startNode, waitForOutput, type StartOptions, type WindowsProgram } from './wine.ts';

const program = 'C:\\Program Files\\Lab Manager\\dist\\server\\main.js';
const startedServices: WindowsProgram[] = [];

export interface RunningService extends WindowsProgram {
  readonly port: number;
}

/** Runs a command of the program to its end. A program that Wine ends before Node runs is started once more. */
export async function runLabManager(
  args: readonly string[],
  options?: StartOptions,
  isLast = false,
): Promise<{ readonly code: number | null; readonly out: string }> {
  const run = startNode([program, ...args], options);
  const code = await Promise.race([run.exitCode, sleep(45_000, 'late' as const, { ref: false })]);
  if (code !== 'late')
    return run.hasStarted() || isLast ? { code, out: run.output() } : runLabManager(args, options, true);
  run.kill();
  throw new Error(`Did not end: ${args.join(' ')}\n${run.output()}`);
}

/**
 * Starts the service on a free port; resolves when it listens. The demo lab accepts no settings and chooses its port itself.
 * `endServicesAfterEach` ends it.
 */
export async function startService(args: readonly string[], options?: StartOptions): Promise<RunningService> {
  const settings = args.includes('--demo') ? [] : [`--lab-listen-port=${await pickFreePort()}`];
  const run = startNode([program, ...settings, ...args], options);
  startedServices.push(run);
  const address = / at http:\/\/127\.0\.0\.1:(\d+)\/ \(log/;
  await waitForOutput(run, address);
  return { ...run, port: Number(address.exec(run.output())?.[1]) };
}

/** Ends the services that a test has started. */
export function endServicesAfterEach(): void {
  afterEach(async () => {
    for (const run of startedServices.splice(0)) {
      run.kill();
      await run.exitCode;
    }
  });
}
