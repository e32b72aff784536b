// @ts-check
/** Checks whether Chromium's sandbox works on this machine, because Chromium exits without it. */
import { spawnSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SetupError } from './output.mjs';

const functionsFile = resolve(import.meta.dirname, '..', '..', 'resources', 'linux', 'sandbox.sh');

/**
 * @typedef {object} Sandbox
 * @property {readonly string[]} switches for Chromium
 * @property {'namespaces' | 'helper' | 'none'} kind the sandbox of an ordinary user's window
 * @property {string} command the shell command that makes the helper usable
 */

/**
 * Prepares the sandbox as far as possible: as root, the set-uid helper where ordinary users have no user namespaces.
 * @param {string} directory of the runtime
 * @returns {Sandbox}
 */
export function ensureSandbox(directory) {
  const isRoot = process.getuid?.() === 0;
  if (process.platform !== 'linux') return { switches: [], kind: 'namespaces', command: '' };
  if (isRoot) runFunction('prepare_helper "$1"', directory);
  const kind = runFunction(`find_sandbox "$1" ${isRoot ? '$as_nobody' : ''}`, directory);
  if (kind !== 'namespaces' && kind !== 'helper' && kind !== 'none') throw new SetupError(`sandbox.sh printed ${kind}`);
  // Chromium refuses to start its sandbox as root; only root runs without it.
  return { switches: isRoot ? ['--no-sandbox'] : [], kind, command: runFunction('helper_command "$1"', directory) };
}

/**
 * Links the runtime's sandbox helper into an unpacked test app, because a copy made by an ordinary user isn't owned by
 * root. Not for directories that are packaged.
 * @param {string} app directory @param {string} runtime directory
 */
export function shareSandbox(app, runtime) {
  if (process.platform !== 'linux') return;
  if (process.getuid?.() === 0) return void ensureSandbox(app);
  if (ensureSandbox(runtime).kind !== 'helper') return;
  rmSync(join(app, 'chrome-sandbox'));
  symlinkSync(join(runtime, 'chrome-sandbox'), join(app, 'chrome-sandbox'));
}

/** @param {Sandbox} sandbox */
export function sandboxText({ command }) {
  return (
    "This system does not permit user namespaces, which the sandbox of the app's window needs. " +
    `Permit its helper instead, once, as an administrator:\n\n  ${command}\n`
  );
}

/** @param {string} script @param {string} directory */
function runFunction(script, directory) {
  const { stdout, stderr, error } = spawnSync('sh', ['-c', `. "$0"\n${script}`, functionsFile, directory], {
    encoding: 'utf8',
  });
  if (error) throw new SetupError(`sh can’t be run: ${error.message}`);
  if (stderr) process.stderr.write(stderr);
  return stdout.trim();
}
