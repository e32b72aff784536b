/** Checks for addresses in `/context` that mean the wrong machine, and for host names that cannot be resolved. */
import { clock } from '#api/time/clock.ts';
import { serviceKeys, contextKey, managerTitle } from '#api/managers.ts';
import { isLoopbackHost } from '#api/hosts.ts';
import {
  nothingToDo,
  openFix,
  withoutLab,
  type Check,
  type Finding,
  type LabDetails,
  type ManagerAddress,
} from './check.ts';
import { isIP } from 'node:net';
import { NameLookup } from '../../net/nameLookup.ts';

const addressesWhy =
  '“localhost” means the machine that reads it: other machines, and pages in their browsers, then connect to themselves.';

export function addressesFinding({ context, advertisedHost }: Pick<LabDetails, 'context' | 'advertisedHost'>): Finding {
  const loopback = serviceKeys.flatMap((key) => {
    const url = context[contextKey(key)];
    return url !== null && isLoopbackHost(new URL(url).hostname) ? [`${managerTitle(key)} ${url}`] : [];
  });
  if (loopback.length === 0)
    return {
      result: 'ok',
      what: 'Every address in /context can be used by other machines.',
      why: addressesWhy,
      whatToDo: nothingToDo,
    };
  if (advertisedHost !== null)
    return {
      result: 'ok',
      what: `Other machines receive ${advertisedHost === 'auto' ? 'the address at which they reached this one' : advertisedHost} instead of localhost.`,
      why: addressesWhy,
      whatToDo: nothingToDo,
    };
  return {
    result: 'warning',
    what: `Only this machine can use: ${loopback.join(', ')}.`,
    why: addressesWhy,
    whatToDo:
      'Name this machine in these settings, or set LAB_ADVERTISED_HOST to auto. If no other machine uses the lab, nothing.',
    fix: openFix('open-settings', 'Open settings'),
  };
}

export const addresses: Check = {
  id: 'addresses',
  title: 'Addresses for other machines',
  guide: 'troubleshooting.html#addresses-for-other-machines',
  run: ({ lab }) => Promise.resolve(lab === null ? withoutLab(addressesWhy) : addressesFinding(lab)),
};

const namesWhy =
  'Each new connection looks the name up: a slow name server makes everything slow, one that fails makes managers unreachable.';

/** Lookups slower than this, in ms, are noticeable. */
export const slowLookupMs = 500;
/** Timeout of one lookup in ms, shorter than that of the check. */
const lookupTimeoutMs = 4500;

interface Lookup {
  readonly host: string;
  readonly tookMs: number;
  readonly isFound: boolean;
}

export function namesFinding(lookups: readonly Lookup[]): Finding {
  if (lookups.length === 0)
    return { result: 'ok', what: 'No manager’s address has a name to look up.', why: namesWhy, whatToDo: nothingToDo };
  const times = lookups.map(
    ({ host, tookMs, isFound }) => `${host} ${isFound ? '' : 'not found, '}${Math.round(tookMs)} ms`,
  );
  const what = `Looked up: ${times.join('; ')}.`;
  const unresolved = lookups.filter(({ isFound }) => !isFound).map(({ host }) => host);
  if (unresolved.length > 0)
    return {
      result: 'problem',
      what,
      why: namesWhy,
      whatToDo: `Check how ${unresolved.join(', ')} ${unresolved.length === 1 ? 'is' : 'are'} spelt in the settings, and this machine’s name server; an IP address, or a line in the hosts file, needs none.`,
      fix: openFix('open-settings', 'Open settings'),
    };
  if (lookups.some(({ tookMs }) => tookMs >= slowLookupMs))
    return {
      result: 'warning',
      what,
      why: namesWhy,
      whatToDo:
        'Check the name servers of this machine: often the first of them is unavailable. A line in the hosts file needs none.',
    };
  return { result: 'ok', what, why: namesWhy, whatToDo: nothingToDo };
}

/** The hosts that need a name server. */
export function hostsToResolve(managers: readonly ManagerAddress[]): readonly string[] {
  const hosts = managers.map(({ url }) => new URL(url).hostname.replace(/^\[|\]$/g, ''));
  return [...new Set(hosts)].filter((host) => !isLoopbackHost(host) && isIP(host) === 0);
}

async function resolveHost(names: NameLookup, host: string): Promise<Lookup> {
  const started = clock.monotonic();
  const isFound = await names.addresses(host, lookupTimeoutMs).then(
    () => true,
    () => false,
  );
  return { host, tookMs: clock.monotonic() - started, isFound };
}

export const names: Check = {
  id: 'names',
  title: 'Names of the managers’ machines',
  guide: 'troubleshooting.html#names-of-the-managers-machines',
  async run({ lab }) {
    if (lab === null) return withoutLab(namesWhy);
    // A separate instance, so that no result comes from the cache.
    const lookups = new NameLookup();
    return namesFinding(await Promise.all(hostsToResolve(lab.managers).map((host) => resolveHost(lookups, host))));
  },
};
