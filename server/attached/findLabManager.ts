/** Checks a typed address of a lab manager: its form, and whether a lab manager responds there. It changes nothing. */
import { isLoopbackHost } from '../../api/hosts.ts';
import { machineLabel } from '../../api/lab/followedLab.ts';
import { silentLog } from '../logging/log.ts';
import { parseLabAddress } from '../settings/parse/addresses.ts';
import { Follower } from './follow.ts';

/** A lab manager that responded. */
export interface FoundLabManager {
  readonly url: string;
  /** The host of its address; with the port if it is loopback. */
  readonly machine: string;
  readonly labName: string | null;
  /** The number of managers with an address in its lab. */
  readonly managers: number;
  /** Whether the address identifies the machine, because it is not loopback. */
  readonly isIdentified: boolean;
}

/** The entered address has no usable lab manager: a user's error that the page shows, not an error of the app. */
export class EnteredAddressError extends Error {}

/**
 * Checks the lab manager at `text` once, with a timeout of 5 s.
 * @throws Error with a user-facing message if there is none
 */
export async function findLabManager(text: string): Promise<FoundLabManager> {
  const address = parseLabAddress(text);
  if (!address.ok) throw new EnteredAddressError(`The text entered ${address.message}.`);
  const follower = new Follower(address.value, silentLog);
  try {
    await follower.start();
    const { context } = follower;
    if (context === null) throw new EnteredAddressError(`${follower.unusableReason}.`);
    return {
      url: address.value,
      machine: machineLabel(address.value),
      labName: follower.state.value.labName,
      managers: Object.entries(context).filter(([key, url]) => key !== 'lab_server_url' && url !== null).length,
      isIdentified: !isLoopbackHost(new URL(address.value).hostname),
    };
  } finally {
    follower.stop();
  }
}
