/** Whether the managers' host names are found, and how long that takes. */
import { isIP } from 'node:net';
import { isLoopbackHost } from '../../../api/hosts.ts';
import { NameLookup } from '../../net/nameLookup.ts';
import { nothingToDo, opening, withoutLab, type Check, type Finding, type ManagerAddress } from './check.ts';

const why =
  'Each new connection looks the name up: a slow name server makes everything slow, one that fails makes managers unreachable.';

/** A look-up that takes this long, in ms, is felt. */
export const slowLookupMs = 500;
/** One look-up may take this long, in ms: less than the check. */
const lookupMs = 4500;

export interface Lookup {
  readonly host: string;
  readonly tookMs: number;
  readonly found: boolean;
}

export function namesVerdict(lookups: readonly Lookup[]): Finding {
  if (lookups.length === 0)
    return { result: 'ok', what: 'No manager’s address has a name to look up.', why, whatToDo: nothingToDo };
  const times = lookups.map(
    ({ host, tookMs, found }) => `${host} ${found ? '' : 'not found, '}${Math.round(tookMs)} ms`,
  );
  const what = `Looked up: ${times.join('; ')}.`;
  const lost = lookups.filter(({ found }) => !found).map(({ host }) => host);
  if (lost.length > 0)
    return {
      result: 'problem',
      what,
      why,
      whatToDo: `Check how ${lost.join(', ')} ${lost.length === 1 ? 'is' : 'are'} spelt in the settings, and this machine’s name server; an IP address, or a line in the hosts file, needs none.`,
      fix: opening('open-settings', 'Open settings'),
    };
  if (lookups.some(({ tookMs }) => tookMs >= slowLookupMs))
    return {
      result: 'warning',
      what,
      why,
      whatToDo:
        'Check the name servers of this machine: often the first of them is gone. A line in the hosts file needs none.',
    };
  return { result: 'ok', what, why, whatToDo: nothingToDo };
}

/** The hosts that need a name server. */
export function hostsToLookUp(managers: readonly ManagerAddress[]): readonly string[] {
  const hosts = managers.map(({ url }) => new URL(url).hostname.replace(/^\[|\]$/g, ''));
  return [...new Set(hosts)].filter((host) => !isLoopbackHost(host) && isIP(host) === 0);
}

async function lookUp(names: NameLookup, host: string): Promise<Lookup> {
  const started = performance.now();
  const found = await names.addresses(host, lookupMs).then(
    () => true,
    () => false,
  );
  return { host, tookMs: performance.now() - started, found };
}

export const names: Check = {
  id: 'names',
  title: 'Names of the managers’ machines',
  async run({ lab }) {
    if (lab === null) return withoutLab(why);
    // One of its own, which remembers nothing.
    const lookups = new NameLookup();
    return namesVerdict(await Promise.all(hostsToLookUp(lab.managers).map((host) => lookUp(lookups, host))));
  },
};
