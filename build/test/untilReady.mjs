// @ts-check
/** Starts programs that report their readiness and address, so that no fixed delay is needed. */
import { spawn } from 'node:child_process';

const readyTimeoutMs = 20_000;

/**
 * Starts a program that writes one line to its file descriptor 3 when it is ready.
 * @param {string} program @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ output: string, stop: () => Promise<void> }>}
 */
export function startUntilReady(program, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
    let output = '';
    let errorOutput = '';
    const exited = new Promise((done) => child.once('close', done));
    const timer = setTimeout(() => fail(`was not ready after ${readyTimeoutMs / 1000} s`), readyTimeoutMs);
    child.stderr?.on('data', (chunk) => (errorOutput = `${errorOutput}${chunk}`.slice(-2000)));
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`ended with exit code ${code}`));
    child.stdio[3]?.on('data', (chunk) => {
      output += chunk;
      if (!output.includes('\n')) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve({ output: output.trim(), stop });
    });

    /** @param {string} problem */
    function fail(problem) {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`${program} ${problem}${errorOutput === '' ? '' : `: ${errorOutput.trim()}`}`));
    }

    async function stop() {
      child.kill();
      await exited;
    }
  });
}
