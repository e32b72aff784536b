/**
 * The lab manager in front of a simulated lab: on loopback alone, on port 8000 when nobody has it, and
 * without anything of the user's own settings. Who simulates the lab is a program of its own; here are only its addresses.
 */
import * as z from 'zod';
import { byManagerAddress, managerKeys, contextKey } from '../../api/managers.ts';
import { findFreePort } from '../http/listening/listen.ts';
import { isPortInUse } from '../net/portOwner.ts';
import type { LabManagerOptions } from '../labManager.ts';
import type { SettingsInputs } from '../settings/schema/types.ts';

const preferredPort = 8000;
/** Past the ports that the managers of a lab on this machine would have. */
const otherPorts = 8010;

/** Addresses of the six simulated managers, by their keys in `/context`. */
export const demoAddresses = z.object(byManagerAddress(() => z.string()));
export type DemoAddresses = z.infer<typeof demoAddresses>;

/** What the demo lab's process tells once its managers answer. */
export const demoReady = z.object({
  type: z.literal('demo-ready'),
  addresses: demoAddresses,
  /** Where faults and size are asked for; see the demo lab's README. */
  control: z.string(),
});

/** The process that simulates the lab, while it runs. */
export interface RunningDemo {
  readonly addresses: DemoAddresses;
  /** Where faults and size are asked for. */
  readonly control: string;
  stop(): Promise<void>;
}

/**
 * How a lab manager serves the demo lab at `addresses`.
 * @param beside whether a lab manager of the real lab runs in the same app: port 8000 stays its own
 */
export async function demoOptions(
  addresses: DemoAddresses,
  beside = false,
): Promise<Pick<LabManagerOptions, 'inputs' | 'demo' | 'listen'>> {
  const isFree =
    !beside && !(await isPortInUse('127.0.0.1', preferredPort)) && !(await isPortInUse('::1', preferredPort));
  const port = await findFreePort(isFree ? preferredPort : otherPorts);
  return { demo: true, listen: { host: '127.0.0.1', port }, inputs: demoInputs(addresses, port) };
}

/** Nothing is read but what is given here: no file, no variable, no option. */
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
