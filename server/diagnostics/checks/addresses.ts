/** Checks for addresses in `/context` that mean the wrong machine, and for host names that cannot be resolved. */
import { clock } from '#api/time/clock.ts';
import { serviceKeys, contextKey, managerTitle } from '#api/managers.ts';
import { isLoopbackHost } from '#api/hosts.ts';
import {
  finding,
  openSettings,
  ofLab,
  type Check,
  type Finding,
  type LabDetails,
  type ManagerAddress,
} from './check.ts';
import { isIP } from 'node:net';
import { NameLookup } from '../../net/nameLookup.ts';

export function addressesFinding({ context, advertisedHost }: Pick<LabDetails, 'context' | 'advertisedHost'>): Finding {
  const loopback = serviceKeys.flatMap((key) => {
    const url = context[contextKey(key)];
    return url !== null && isLoopbackHost(new URL(url).hostname) ? [`${managerTitle(key)} ${url}`] : [];
  });
  if (loopback.length === 0) return finding('ok', 'Every address in /context can be used by other machines.');
  if (advertisedHost !== null)
    return finding(
      'ok',
      `Other machines receive ${advertisedHost === 'auto' ? 'the address at which they reached this one' : advertisedHost} instead of localhost.`,
    );
  return finding(
    'warning',
    `Only this machine can use: ${loopback.join(', ')}.`,
    'Name this machine in these settings, or set LAB_ADVERTISED_HOST to auto. If no other machine uses the lab, nothing.',
    openSettings,
  );
}

export const addresses: Check = {
  id: 'addresses',
  title: 'Addresses for other machines',
  guide: 'troubleshooting.html#addresses-for-other-machines',
  why: '“localhost” means the machine that reads it: other machines, and pages in their browsers, then connect to themselves.',
  run: ofLab(addressesFinding),
};

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
  if (lookups.length === 0) return finding('ok', 'No manager’s address has a name to look up.');
  const times = lookups.map(
    ({ host, tookMs, isFound }) => `${host} ${isFound ? '' : 'not found, '}${Math.round(tookMs)} ms`,
  );
  const what = `Looked up: ${times.join('; ')}.`;
  const unresolved = lookups.filter(({ isFound }) => !isFound).map(({ host }) => host);
  if (unresolved.length > 0)
    return finding(
      'problem',
      what,
      `Check how ${unresolved.join(', ')} ${unresolved.length === 1 ? 'is' : 'are'} spelt in the settings, and this machine’s name server; an IP address, or a line in the hosts file, needs none.`,
      openSettings,
    );
  if (lookups.some(({ tookMs }) => tookMs >= slowLookupMs))
    return finding(
      'warning',
      what,
      'Check the name servers of this machine: often the first of them is unavailable. A line in the hosts file needs none.',
    );
  return finding('ok', what);
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
  why: 'Each new connection looks the name up: a slow name server makes everything slow, one that fails makes managers unreachable.',
  run: ofLab(async (lab) => {
    // A separate instance, so that no result comes from the cache.
    const lookups = new NameLookup();
    return namesFinding(await Promise.all(hostsToResolve(lab.managers).map((host) => resolveHost(lookups, host))));
  }),
};
