// @ts-check
/**
 * Starts a separate screen and session bus for the tests, independent of an existing desktop. Both programs choose a free
 * address themselves.
 */
import { startUntilReady } from './untilReady.mjs';

/**
 * @typedef {object} DesktopSession
 * @property {NodeJS.ProcessEnv} env variables with their addresses
 * @property {() => Promise<void>} stop
 */

const screen = ['-screen', '0', '1600x1000x24', '-nolisten', 'tcp', '-noreset'];

/** Starts both; on other systems than Linux there is nothing to start. @returns {Promise<DesktopSession>} */
export async function startDesktopSession() {
  if (process.platform !== 'linux') return { env: {}, stop: async () => {} };
  const display = await startUntilReady('Xvfb', ['-displayfd', '3', ...screen]);
  const bus = await startUntilReady('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address=3']);
  return {
    env: { DISPLAY: `:${display.output}`, WAYLAND_DISPLAY: '', DBUS_SESSION_BUS_ADDRESS: bus.output },
    stop: async () => {
      await bus.stop();
      await display.stop();
    },
  };
}
