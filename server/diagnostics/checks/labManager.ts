/**
 * Checks the running lab manager's ID, and whether another lab manager serves the same lab, because its clients may get
 * different addresses. Only addresses from the settings are requested: the lab manager's own address in `/context`, and the
 * default port of the managers' machines.
 */
import { clock } from '#api/time/clock.ts';
import { interfaceAddresses } from '../../net/interfaces.ts';
import { isLoopbackHost } from '#api/hosts.ts';
import { labContext, labHistory, type LabContext } from '#api/lab/lab.ts';
import { contextKey, defaultPorts, managerKeys, managerTitle } from '#api/managers.ts';
import { formatClockTime } from '#api/time/clockText.ts';
import { names } from '../../net/nameLookup.ts';
import { requestJson } from '../../net/requestJson.ts';
import { finding, ofLab, type Check, type Finding, type LabDetails } from './check.ts';
import type { SettingsResponse } from '#api/lab/settings.ts';
import { readServedSettings } from '../../attached/labManagerReader.ts';

/** Timeout of a name lookup in ms, shorter than that of the check. */
const lookupTimeoutMs = 1000;
/** Timeouts of the two requests, in ms: with the name lookup, their sum is below the check's timeout. */
const contextTimeoutMs = 2500;
const historyTimeoutMs = 1000;

/** A lab manager that responded at another address. */
interface OtherLabManager {
  readonly url: string;
  readonly context: LabContext;
}

export function otherLabManagerFinding(
  ownContext: LabContext,
  addresses: readonly string[],
  others: readonly OtherLabManager[],
): Finding {
  if (others.length === 0) {
    const addressList =
      addresses.length === 0 ? 'No other machine is named in the settings.' : `Checked: ${addresses.join(', ')}.`;
    return finding('ok', `No other lab manager answers. ${addressList}`);
  }
  const parts = others.map(({ url, context }) => {
    const different = managerKeys
      .filter((key) => context[contextKey(key)] !== ownContext[contextKey(key)])
      .map(managerTitle);
    if (different.length === 0) return `${url} reports the same addresses`;
    return `${url} reports other addresses for: ${different.join(', ')}`;
  });
  return finding(
    'warning',
    `Another lab manager answers: ${parts.join('; ')}.`,
    'If both are for the same lab, stop one of them, and use the address of the other everywhere.',
  );
}

/** Base addresses of possible other lab managers, without this one. @param isOwn whether a host is this machine */
export function candidateAddresses(
  { context, managers, port, serverUrl }: Pick<LabDetails, 'context' | 'managers' | 'port' | 'serverUrl'>,
  isOwn: (host: string) => boolean,
): readonly string[] {
  const { lab_server_url: lab } = context;
  const defaults = managers.map(({ url }) => `http://${new URL(url).hostname}:${defaultPorts.lab}/`);
  const candidates = [
    ...(lab === null || lab === serverUrl ? [] : [new URL(lab).href]),
    ...defaults,
    `http://127.0.0.1:${defaultPorts.lab}/`,
  ];
  const isThisLabManager = (url: URL): boolean => isOwn(url.hostname) && effectivePort(url) === port;
  const visitedKeys = new Set<string>();
  return candidates.filter((candidate) => {
    const url = new URL(candidate);
    // All names of this machine count as the same host.
    const key = `${isOwn(url.hostname) ? 'here' : url.hostname}:${effectivePort(url)}`;
    if (isThisLabManager(url) || visitedKeys.has(key)) return false;
    visitedKeys.add(key);
    return true;
  });
}

function effectivePort({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** The hosts in the list that are this machine: loopback, or a name that resolves to one of its own addresses. */
async function ownHosts(hosts: readonly string[]): Promise<ReadonlySet<string>> {
  const localAddresses = new Set(interfaceAddresses().map(({ address }) => address));
  const checked = await Promise.all(
    [...new Set(hosts)].map(async (host) => {
      if (isLoopbackHost(host)) return [host];
      const resolved = await names.addresses(host.replace(/^\[|\]$/g, ''), lookupTimeoutMs).catch(() => []);
      return resolved.some(({ address }) => localAddresses.has(address)) ? [host] : [];
    }),
  );
  return new Set(checked.flat());
}

/**
 * @param started start time of this service, which identifies it under another address, such as a proxy's; `null` if
 * unknown
 */
async function findLabManagerAt(
  url: string,
  started: string | null,
  signal: AbortSignal,
): Promise<OtherLabManager | null> {
  const response = await requestJson(new URL('context', url).href, contextTimeoutMs, signal);
  const context = response.ok ? labContext.safeParse(response.body) : null;
  if (!context?.success || (started !== null && (await readStartTime(url, signal)) === started)) return null;
  return { url, context: context.data };
}

/** The start time of the lab manager at this address; `null` if it is not a Lab Manager. */
async function readStartTime(url: string, signal: AbortSignal): Promise<string | null> {
  const response = await requestJson(new URL('lab_health/history', url).href, historyTimeoutMs, signal);
  const history = response.ok ? labHistory.safeParse(response.body) : null;
  return history?.success ? history.data.service.started : null;
}

export const otherLabManager: Check = {
  id: 'other-lab-manager',
  title: 'Another lab manager',
  guide: 'troubleshooting.html#another-lab-manager',
  why: 'Nodes, scripts and browsers get the addresses of the services from one lab manager: with two, a changed address reaches only some of them.',
  run: ofLab(async (lab, _context, signal) => {
    if (lab.listensOnLoopbackOnly) return finding('ok', 'Not checked: the service here is for this machine only.');
    const urls = [lab.context.lab_server_url, ...lab.managers.map(({ url }) => url)].filter((url) => url !== null);
    const localHosts = await ownHosts(urls.map((url) => new URL(url).hostname));
    const addresses = candidateAddresses(lab, (host) => localHosts.has(host) || isLoopbackHost(host));
    const started = lab.service.kind === 'running' ? lab.service.history.service.started : null;
    const others = await Promise.all(addresses.map((address) => findLabManagerAt(address, started, signal)));
    return otherLabManagerFinding(
      lab.context,
      addresses,
      others.filter((candidate) => candidate !== null),
    );
  }),
};

/** @param response response of `/settings`; `null` if no lab manager of this version runs */
export function identityFinding(response: Pick<SettingsResponse, 'identity'> | null): Finding {
  if (response === null)
    return finding(
      'unknown',
      'No lab manager runs on this machine.',
      'Start the lab manager, then run the checks again.',
    );
  const { identity } = response;
  if (identity === undefined) return finding('ok', 'The settings decide the ID, not the ID registry.');
  const { name, settled, problem, holder } = identity;
  const format = (time: string) => formatClockTime(Date.parse(time), clock.now());
  const since = format(identity.since);
  if (settled) return finding('ok', `The ID of ${JSON.stringify(name)} is settled since ${since}.`);
  return finding(
    'warning',
    `The identity is not settled since ${since}: ${problem}${holder === null ? '' : `, since ${format(holder.since)}`}.`,
    holder === null
      ? 'Correct that; the lab manager tries again every 10 s. Its log names the file.'
      : 'Stop the other lab manager, or give this one another name (LAB_MANAGER_NAME). After a crash the ID is free again within 30 s.',
  );
}

export const identity: Check = {
  id: 'identity',
  title: 'Identity of the lab manager',
  guide: 'troubleshooting.html#identity-of-the-lab-manager',
  why: 'Events and workflows name the lab manager by its ID: with a new one after each restart, they point to one that no longer exists.',
  run: ofLab(async (lab, _context, signal) => {
    if (lab.service.kind !== 'running') return identityFinding(null);
    return identityFinding(await readServedSettings(lab.service.url, signal));
  }),
};
