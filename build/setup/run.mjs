// @ts-check
/** Runs other programs and waits for them. */
import { spawn } from 'node:child_process';

const parentCheckIntervalMs = 500;

/**
 * Calls `onEnd` when npm's shell has ended: npm passes signals only to it.
 * @param {() => void} onEnd
 * @returns {() => void} ends the checks
 */
export function watchNpm(onEnd) {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.env['npm_lifecycle_event'] !== undefined && process.ppid !== parent) onEnd();
  }, parentCheckIntervalMs);
  return () => clearInterval(check);
}

/**
 * Runs a program on the current terminal and resolves with its exit code. Forwards signals, so that both processes end
 * together; below npm also its end, because npm passes signals only to its shell.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, quiet?: boolean }} [options] `quiet`: sends its output to
 * standard error
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: options.env ?? process.env,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      stdio: ['inherit', options.quiet ? process.stderr : 'inherit', 'inherit'],
    });
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => void child.kill(signal);
    /** @type {readonly NodeJS.Signals[]} */
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const stopWatching = watchNpm(() => forward('SIGTERM'));
    const stopForwarding = () => {
      stopWatching();
      for (const signal of signals) process.off(signal, forward);
    };
    child.once('error', (error) => {
      stopForwarding();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      stopForwarding();
      resolve(code ?? (signal === null ? 1 : 128));
    });
  });
}
