/** The address of a lab manager as a person types it: is it one, and does a lab manager answer there? Nothing is changed by that. */
import { isLoopbackHost, baseUrl } from '../../api/hosts.ts';
import { machineOf } from '../../api/lab/followed.ts';
import { defaultPorts } from '../../api/managers.ts';
import { silentLog } from '../logging/log.ts';
import { parseUrl, type Parsed } from '../settings/parse/values.ts';
import { Follower } from './follow.ts';

/** A lab manager that answered. */
export interface FoundLabManager {
  readonly url: string;
  /** The host of its address; with the port where that is loopback. */
  readonly machine: string;
  readonly labName: string | null;
  /** How many managers its lab has. */
  readonly managers: number;
  /** The address identifies the machine: it is not loopback. */
  readonly isIdentified: boolean;
}

/** In characters, as DNS has it. */
const maxHostName = 253;

/** No lab manager can be used at the address that a person entered: the page shows it, and it is no error of the app. */
export class EnteredAddressError extends Error {}

/**
 * The scheme may be left out, and then the port: `lab-pc` is `http://lab-pc:8000/`. What is wrong with an address never
 * repeats it: it may hold a password.
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
  // The usual port, unless another one was written: `:80` is lost by the URL standard.
  if (!hasScheme && url.port === '' && !/:80(?:\/|$)/.test(typed)) url.port = String(defaultPorts.lab);
  return { ok: true, value: baseUrl(url.href) };
}

/** Asks the lab manager at `text` once, for at most 5 s. @throws Error in words when there is none */
export async function findLabManager(text: string): Promise<FoundLabManager> {
  const address = parseLabAddress(text);
  if (!address.ok) throw new EnteredAddressError(`The text entered ${address.message}.`);
  const follower = new Follower(address.value, silentLog, { onChange: () => undefined, measured: () => null });
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
