/**
 * Options of the lab manager for the demo lab: on loopback only, on port 8000 if it is free, and without the user's own
 * settings. A separate program simulates the lab; this file only uses its addresses.
 */
import * as z from 'zod';
import { byManagerAddress, managerKeys, contextKey } from '../../api/managers.ts';
import { findFreePort } from '../http/listening/listen.ts';
import { isPortInUse } from '../net/portOwner.ts';
import type { LabManagerOptions } from '../labManager.ts';
import type { SettingsInputs } from '../settings/schema/types.ts';

const preferredPort = 8000;
/** Above the default ports of a lab's managers on this machine. */
const firstOtherPort = 8010;

/** Addresses of the six simulated managers, by their keys in `/context`. */
export const demoAddresses = z.object(byManagerAddress(() => z.string()));
export type DemoAddresses = z.infer<typeof demoAddresses>;

/** The message of the demo lab's process after its managers respond. */
export const demoReady = z.object({
  type: z.literal('demo-ready'),
  addresses: demoAddresses,
  /** Address for setting faults and size; see the demo lab's README. */
  control: z.string(),
});

/** The running process that simulates the lab. */
export interface RunningDemo {
  readonly addresses: DemoAddresses;
  /** Address for setting faults and size. */
  readonly control: string;
  stop(): Promise<void>;
}

/**
 * The options that serve the demo lab at `addresses`.
 * @param isAdditional whether a lab manager of the real lab runs in the same app, which then keeps port 8000
 */
export async function demoOptions(
  addresses: DemoAddresses,
  isAdditional = false,
): Promise<Pick<LabManagerOptions, 'inputs' | 'demo' | 'listen'>> {
  const isFree =
    !isAdditional && !(await isPortInUse('127.0.0.1', preferredPort)) && !(await isPortInUse('::1', preferredPort));
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
