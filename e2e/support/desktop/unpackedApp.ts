/** Provides the release build where an ordinary user can run it in the sandbox, which is impossible in root's home. */
import { chmodSync, cpSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ensureSandbox, shareSandbox } from '#build/setup/sandbox.mjs';
import type { OrdinaryUser } from './ordinaryUser.ts';

const runtime = (): string => process.env['LAB_MANAGER_RUNTIME'] ?? '';
const runtimeSandbox = (): string => ensureSandbox(runtime()).kind;

let copy: string | null = null;

/**
 * @returns the path of the program, or of a copy that is removed when this process ends
 * @throws Error if the path of the packaged app is not set
 */
export function getReadableApp(user: OrdinaryUser): string {
  const program = process.env['LAB_MANAGER_RELEASE_APP'];
  if (!program) throw new Error('LAB_MANAGER_RELEASE_APP must name the packaged app: run npm test');
  if (user.canRead(program) && runtimeSandbox() === 'namespaces') return program;
  copy ??= copyApp(dirname(program));
  return join(copy, basename(program));
}

function copyApp(folder: string): string {
  const target = mkdtempSync(join(tmpdir(), 'app-'));
  process.once('exit', () => rmSync(target, { recursive: true, force: true }));
  cpSync(folder, target, { recursive: true, mode: constants.COPYFILE_FICLONE });
  chmodSync(target, 0o755);
  shareSandbox(target, runtime());
  return target;
}
