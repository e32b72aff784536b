/** Checks a typed address of a lab manager: its form, and whether a lab manager responds there. It changes nothing. */
import { isLoopbackHost, baseUrl } from '../../api/hosts.ts';
import { machineOf } from '../../api/lab/followed.ts';
import { defaultPorts } from '../../api/managers.ts';
import { silentLog } from '../logging/log.ts';
import { parseUrl, type Parsed } from '../settings/parse/values.ts';
import { Follower } from './follow.ts';

/** A lab manager that responded. */
export interface FoundLabManager {
  readonly url: string;
  /** The host of its address; with the port if it is loopback. */
  readonly machine: string;
  readonly labName: string | null;
  /** The number of managers of its lab. */
  readonly managers: number;
  /** Whether the address identifies the machine, because it is not loopback. */
  readonly isIdentified: boolean;
}

/** The maximum length of a host name in DNS, in characters. */
const maxHostName = 253;

/** The entered address has no usable lab manager: a user's error that the page shows, not an error of the app. */
export class EnteredAddressError extends Error {}

/**
 * The scheme is optional, and without it the port too: `lab-pc` is `http://lab-pc:8000/`. Error messages never repeat an
 * address, which may contain a password.
 */
export function parseLabAddress(text: string): Parsed<string> {
  const typed = text.trim();
  if (typed === '') return { ok: false, message: 'is empty; enter an address such as lab-pc or http://lab-pc:8000' };
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  const address = parseUrl(hasScheme ? typed : `http://${typed}`);
  if (!address.ok) {
    const advice = /user or password/.test(address.message) ? '; remove it: a lab manager needs none' : '';
    return { ok: false, message: `${address.message}${advice}` };
  }
  const url = new URL(address.value);
  if (url.hostname.length > maxHostName)
    return {
      ok: false,
      message: `has a host name of ${url.hostname.length} characters; at most ${maxHostName} are allowed`,
    };
  // Add the default port unless one was typed: the URL standard drops `:80`.
  if (!hasScheme && url.port === '' && !/:80(?:\/|$)/.test(typed)) url.port = String(defaultPorts.lab);
  return { ok: true, value: baseUrl(url.href) };
}

/**
 * Checks the lab manager at `text` once, with a timeout of 5 s.
 * @throws Error with a user-facing message if there is none
 */
export async function findLabManager(text: string): Promise<FoundLabManager> {
  const address = parseLabAddress(text);
  if (!address.ok) throw new EnteredAddressError(`The text entered ${address.message}.`);
  const follower = new Follower(address.value, silentLog, { onChange: () => undefined, measuredLab: () => null });
  try {
    await follower.start();
    const { context } = follower;
    if (context === null) throw new EnteredAddressError(`${follower.unusable}.`);
    return {
      url: address.value,
      machine: machineOf(address.value),
      labName: follower.labName,
      managers: Object.entries(context).filter(([key, url]) => key !== 'lab_server_url' && url !== null).length,
      isIdentified: !isLoopbackHost(new URL(address.value).hostname),
    };
  } finally {
    follower.stop();
  }
}
