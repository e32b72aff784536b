// @ts-check
/** Runs other programs and waits for them. */
import { spawn } from 'node:child_process';

/**
 * Runs a program on the current terminal and resolves with its exit code. Forwards signals, so that both processes end
 * together.
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
    const stopForwarding = () => {
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
