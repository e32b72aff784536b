// @ts-check
/**
 * A screen and a session bus of the tests' own, so that they neither need nor disturb a desktop that is there. Both
 * programs choose a free address themselves and say it when they are ready: nothing to guess, nothing to wait for.
 */
import { spawn } from 'node:child_process';

/**
 * @typedef {object} DesktopSession
 * @property {NodeJS.ProcessEnv} env what programs need to find them
 * @property {() => Promise<void>} stop
 */

const screen = ['-screen', '0', '1600x1000x24', '-nolisten', 'tcp', '-noreset'];
const readyMs = 20_000;

/** Starts both; on other systems than Linux there is nothing to start. @returns {Promise<DesktopSession>} */
export async function startDesktopSession() {
  if (process.platform !== 'linux') return { env: {}, stop: async () => {} };
  const display = await start('Xvfb', ['-displayfd', '3', ...screen]);
  const bus = await start('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address=3']);
  return {
    env: { DISPLAY: `:${display.said}`, WAYLAND_DISPLAY: '', DBUS_SESSION_BUS_ADDRESS: bus.said },
    stop: async () => {
      await bus.stop();
      await display.stop();
    },
  };
}

/**
 * Starts a program that writes one line to its file 3 when it is ready.
 * @param {string} program @param {readonly string[]} args
 * @returns {Promise<{ said: string, stop: () => Promise<void> }>}
 */
function start(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
    let said = '';
    let complaints = '';
    const ended = new Promise((done) => child.once('close', done));
    const timer = setTimeout(() => fail(`was not ready after ${readyMs / 1000} s`), readyMs);
    child.stderr?.on('data', (chunk) => (complaints = `${complaints}${chunk}`.slice(-2000)));
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`ended with exit code ${code}`));
    child.stdio[3]?.on('data', (chunk) => {
      said += chunk;
      if (!said.includes('\n')) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve({ said: said.trim(), stop });
    });

    /** @param {string} what */
    function fail(what) {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`${program} ${what}${complaints === '' ? '' : `: ${complaints.trim()}`}`));
    }

    async function stop() {
      child.kill();
      await ended;
    }
  });
}
