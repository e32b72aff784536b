/**
 * Options of the lab manager for the demo lab: on loopback only, on port 8000 if it is free, and without the user's own
 * settings. A separate program simulates the lab; this file only uses its addresses.
 */
import * as z from 'zod';
import { errorText } from '../../api/errorText.ts';
import { createManagerAddressRecord, managerKeys, contextKey } from '../../api/managers.ts';
import { withTimeout } from '../concurrency/boundedWait.ts';
import { findFreePort } from '../http/listening/listen.ts';
import { isPortInUse } from '../net/portOwner.ts';
import type { LabManagerOptions } from '../labManager.ts';
import type { SettingsInputs } from '../settings/schema/types.ts';

const preferredPort = 8000;
/** The first port to try if the preferred one is not available: above the default ports of the managers. */
const firstOtherPort = 8010;

/** Addresses of the six simulated managers, by their keys in `/context`. */
export const demoAddresses = z.object(createManagerAddressRecord(() => z.string()));
export type DemoAddresses = z.infer<typeof demoAddresses>;

/** The message of the demo lab's process after its managers respond. */
const demoReady = z.object({
  type: z.literal('demo-ready'),
  addresses: demoAddresses,
  /** Address for setting faults and size; see CONTRIBUTING.md. */
  control: z.string(),
});

/** Timeout of the start in ms; its managers usually respond within a second or two. */
const startTimeoutMs = 20_000;

interface DemoChild {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  kill(): unknown;
}

/**
 * Waits until the managers of a demo lab's new process respond.
 * @param ended resolves with the reason when the process ends
 * @throws Error with a user-facing message; the process is ended then
 */
export async function demoStarted(child: DemoChild, ended: Promise<string>): Promise<Omit<RunningDemo, 'stop'>> {
  const ready = new Promise<z.infer<typeof demoReady>>((resolve) => {
    child.on('message', (message) => {
      const announcement = demoReady.safeParse(message);
      if (announcement.success) resolve(announcement.data);
    });
  });
  const failed = ended.then((reason) => Promise.reject(new Error(reason)));
  try {
    return await withTimeout(Promise.race([ready, failed]), startTimeoutMs, () => {
      throw new Error('its managers do not answer');
    });
  } catch (error) {
    child.kill();
    throw new Error(`The demo lab did not start: ${errorText(error)}`, { cause: error });
  }
}

/** The running process that simulates the lab. */
export interface RunningDemo {
  readonly addresses: DemoAddresses;
  /** Address for setting faults and size. */
  readonly control: string;
  stop(): Promise<void>;
}

/**
 * The options that serve the demo lab at `addresses`.
 * @param besidesLab whether a lab manager of the real lab runs in the same app, which then keeps port 8000
 */
export async function demoOptions(
  addresses: DemoAddresses,
  besidesLab = false,
): Promise<Pick<LabManagerOptions, 'inputs' | 'demo' | 'listen'>> {
  const isFree =
    !besidesLab && !(await isPortInUse('127.0.0.1', preferredPort)) && !(await isPortInUse('::1', preferredPort));
  const port = await findFreePort(isFree ? preferredPort : firstOtherPort);
  return { demo: true, listen: { host: '127.0.0.1', port }, inputs: demoInputs(addresses, port) };
}

/** The only settings: no file, variable or option is read. */
function demoInputs(addresses: DemoAddresses, port: number): SettingsInputs {
  const managers = managerKeys.map((key) => [contextKey(key), addresses[`${key}_server_url`]] as const);
  return {
    argv: [],
    env: {},
    cwd: null,
    homeDir: '/',
    userConfigDir: '/nonexistent',
    commandLine: 'headless',
    overrides: {
      server_url: `http://localhost:${port}/`,
      manager_name: 'Demo Lab',
      manager_description: 'A simulated lab: nothing here moves anything real',
      ...Object.fromEntries(managers),
    },
  };
}
