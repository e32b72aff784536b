/** Announces the lab by mDNS on every network of this machine, so that other lab managers find it without an address. */
import type Bonjour from 'bonjour-service';
import type { Browser, Service } from 'bonjour-service';
import { hostname } from 'node:os';
import { clock } from '../../api/time/clock.ts';
import { doublingDelay, pause } from '../../api/time/pause.ts';
import { withTimeout } from '../concurrency/boundedWait.ts';
import type { Log } from '../logging/log.ts';
import { cleanText } from '../logging/text.ts';
import { isLoopbackAddress } from '../net/peer.ts';
import type { EffectiveSetting, LabSettings } from '../settings/schema/types.ts';
import type { Network } from './mdnsSocket.ts';
import { localNetworks, MdnsNetworks, serviceType, type Participant } from './mdnsNetworks.ts';

/** The announced values. */
export interface Announcement {
  /** The name of the lab; `null` if it has none. */
  readonly labName: string | null;
  /** The stable ID of the lab manager; `null` if it has none. */
  readonly id: string | null;
  readonly version: string;
  readonly port: number;
  /** The only address that the service listens on, besides loopback; `null` for all. */
  readonly host: string | null;
  /** Whether the port accepts https besides http. */
  readonly https: boolean;
}

interface AnnouncementParts {
  readonly settings: Pick<LabSettings, 'mdns' | 'labName' | 'tlsCertFile'>;
  readonly effective: readonly EffectiveSetting[];
  readonly version: string;
  /** The sockets, as `[::]:8000`. */
  readonly listening: readonly string[];
  readonly port: number;
}

/** The values to announce; `null` if mDNS is switched off, or no other machine can connect. */
export function createAnnouncement({
  settings,
  effective,
  version,
  listening,
  port,
}: AnnouncementParts): Announcement | null {
  const hosts = listening.map((socket) => socket.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''));
  const reachable = hosts.find((host) => !isLoopbackAddress(host));
  if (!settings.mdns || reachable === undefined) return null;
  const id = effective.find(({ name, origin }) => name === 'manager_id' && origin.source !== 'generated')?.value;
  return {
    labName: settings.labName,
    id: typeof id === 'string' ? id : null,
    version,
    port,
    host: ['::', '0.0.0.0'].includes(reachable) ? null : reachable,
    https: settings.tlsCertFile !== null,
  };
}

/** The time to collect the names of other labs before a name is chosen, in ms. */
const listenMs = 1000;
/** Interval of the checks whether the announcement changed, in ms. */
const checkIntervalMs = 2000;
/** Timeout of the message that ends the announcement, in ms. */
const goodbyeTimeoutMs = 500;
/** The maximum lifetime of a record (RFC 6762, section 10), in seconds; the library's is eight hours. */
const maxTtlSeconds = 4500;
/** The lifetime of the record of an address (RFC 6762, section 10), in seconds. */
const addressTtlSeconds = 120;
/** The maximum number of labs on a network; the search for used names stops there. */
const maxServices = 1000;
/** After this number of conflicts there is a pause before the next name, which doubles each time up to `maxPauseMs`. */
const quickConflicts = 3;
const maxPauseMs = 600_000;
/** The maximum length of a name in mDNS, in bytes of UTF-8. */
const maxNameBytes = 63;

export class Announcer {
  readonly #announcement: () => Announcement | null;
  readonly #log: Log;
  readonly #networks: MdnsNetworks;
  #announced = 'null';
  #timer: NodeJS.Timeout | null = null;
  #renewal: Promise<void> | null = null;
  /** The names, in lower case, that another lab had when this one tried to announce them. */
  readonly #lostNames = new Set<string>();
  #stopped = new AbortController();

  /** @param announcement returns the current values to announce; `null` for none @param networks the networks of this machine */
  constructor(announcement: () => Announcement | null, log: Log, networks = localNetworks) {
    this.#announcement = announcement;
    this.#log = log;
    this.#networks = new MdnsNetworks(
      (bonjour, network) => this.#join(bonjour, network),
      log,
      () => {
        const host = this.#announcement()?.host ?? null;
        return networks().filter(({ address }) => host === null || address === host);
      },
    );
  }

  start(): void {
    if (this.#timer === null) this.#stopped = new AbortController();
    this.#timer ??= clock.setInterval(() => this.update(), checkIntervalMs);
    this.update();
  }

  /** Announces the current values if they have changed. */
  update(): void {
    const announcement = this.#announcement();
    const text = JSON.stringify(announcement);
    if (this.#timer === null || this.#renewal !== null || text === this.#announced) return;
    this.#announced = text;
    this.#lostNames.clear();
    if (announcement === null) this.#runRenewal(this.#networks.stop());
    else this.#runRenewal(this.#networks.renew().then(() => this.#networks.start()));
  }

  /** Withdraws the announcement, within a second. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clock.clearInterval(this.#timer);
    this.#timer = null;
    this.#announced = 'null';
    this.#stopped.abort();
    await this.#renewal;
    await this.#networks.stop();
  }

  #runRenewal(step: Promise<void>): void {
    this.#renewal = step.finally(() => (this.#renewal = null));
  }

  #join(bonjour: Bonjour, network: Network): Participant {
    const announcement = this.#announcement();
    if (announcement === null) return { leave: () => undefined };
    const onConflict = (name: string) => this.#chooseAnotherName(name, network);
    const isLost = (name: string) => this.#lostNames.has(name.toLowerCase());
    return new LabAnnouncement({ bonjour, network, announcement, isLost, onConflict, log: this.#log });
  }

  /** Chooses another name, after a pause if a host claims every name (RFC 6762, section 8.1). */
  #chooseAnotherName(name: string, { address }: Network): void {
    if (this.#renewal !== null) return;
    this.#lostNames.add(name.toLowerCase());
    const excess = this.#lostNames.size - quickConflicts;
    const pauseMs = excess <= 0 ? 0 : doublingDelay(excess, 2000, maxPauseMs);
    const when = pauseMs === 0 ? 'now' : `in ${pauseMs / 1000} s`;
    this.#log.info(`Another host announces a lab as “${name}” on ${address}: another name is chosen ${when}`);
    const step = async () => {
      await this.#networks.stop();
      if (await pause(pauseMs, this.#stopped.signal)) this.#networks.start();
    };
    this.#runRenewal(step());
  }
}

interface LabAnnouncementParts {
  readonly bonjour: Bonjour;
  readonly network: Network;
  readonly announcement: Announcement;
  /** Whether another host has claimed this name. */
  readonly isLost: (name: string) => boolean;
  /** Called if another lab of the network has the same name. */
  readonly onConflict: (name: string) => void;
  readonly log: Log;
}

/** The lab on one network. */
class LabAnnouncement implements Participant {
  readonly #parts: LabAnnouncementParts;
  readonly #browser: Browser;
  readonly #timer: NodeJS.Timeout;
  #service: Service | null = null;
  #hasLeft = false;

  constructor(parts: LabAnnouncementParts) {
    this.#parts = parts;
    this.#browser = parts.bonjour.find({ type: serviceType });
    this.#browser.on('up', () => {
      if (this.#browser.services.length > maxServices) this.#browser.stop();
    });
    this.#browser.on('srv-update', (service) => this.#compare(service));
    this.#timer = clock.setTimeout(() => this.#publish(), listenMs);
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    clock.clearTimeout(this.#timer);
    this.#browser.stop();
    if (this.#service?.published !== true) return;
    const goodbye = new Promise<void>((resolve) => this.#parts.bonjour.unpublishAll(() => resolve()));
    await withTimeout(goodbye, goodbyeTimeoutMs, () => undefined);
  }

  #publish(): void {
    const { bonjour, network, announcement, isLost, log } = this.#parts;
    const { port, labName } = announcement;
    const host = uniqueHostName(network.address);
    const others = this.#browser.services.filter((candidate) => candidate.host !== host || candidate.port !== port);
    const usedNames = new Set(others.map(({ name }) => name.toLowerCase()));
    const isUsed = (candidate: string) => isLost(candidate) || usedNames.has(candidate.toLowerCase());
    const name = findFreeName(labName ?? `Lab Manager on ${machineName()}`, isUsed);
    const txt = txtRecord(announcement);
    const service = bonjour.publish({ name, type: serviceType, port, host, txt, disableIPv6: true });
    this.#service = service;
    const records = service.records.bind(service);
    // The library lists the addresses of all networks, but only the one on this network is reachable from it.
    service.records = () => [
      ...records()
        .filter(({ type }) => type !== 'A')
        .map((record) => ({ ...record, ttl: Math.min(record.ttl, maxTtlSeconds) })),
      { name: host, type: 'A', ttl: addressTtlSeconds, data: network.address },
    ];
    // The library calls this if its probe finds the name in use. Its own implementation would withdraw the records of the
    // other lab, and write to the console.
    service.stop = () => {
      this.#conflict();
      throw new Error(`another lab is announced as “${service.name}”`);
    };
    service.on('up', () => log.info(`Announced by mDNS as “${service.name}” at ${network.address}:${port}`));
  }

  /** If two labs chose the same name at the same time, the one with the higher address chooses another name. */
  #compare(otherService: Service): void {
    const announced = this.#service;
    if (announced === null || otherService.fqdn.toLowerCase() !== announced.fqdn.toLowerCase()) return;
    const addressKey = (service: Service) => `${service.host}:${service.port}`.toLowerCase();
    if (addressKey(otherService) < addressKey(announced)) this.#conflict();
  }

  #conflict(): void {
    if (!this.#hasLeft) this.#parts.onConflict(this.#service?.name ?? '');
  }
}

/** Short texts, because all labs of a network share one message. */
function txtRecord({ id, version, https }: Announcement): Record<string, string> {
  return {
    txtvers: '1',
    ...(id === null ? {} : { id: cleanText(id, 64) }),
    version: cleanText(version, 32),
    path: '/',
    https: String(https),
    machine: cleanText(machineName(), 64),
  };
}

/** The name of this machine without its domain. */
function machineName(): string {
  return cleanText(hostname().replace(/\..*$/, ''), 64) || 'this machine';
}

/**
 * A name for the machine that is unique on its network. The machine's own name belongs to the system's mDNS responder, which
 * renames the machine when another program announces other addresses for it.
 */
function uniqueHostName(address: string): string {
  return `lab-manager-${address.replaceAll('.', '-')}.local`;
}

/** The first unused name of `Bench`, `Bench (2)` and so on, within the maximum length of mDNS. */
export function findFreeName(preferred: string, isUsed: (name: string) => boolean): string {
  // A dot separates the parts of a name, and the library replaces it only after a comparison.
  const clean = cleanText(preferred, maxNameBytes).replaceAll('.', '-');
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : ` (${count})`;
    const name = `${truncateToBytes(clean, maxNameBytes - suffix.length)}${suffix}`;
    if (!isUsed(name)) return name;
  }
}

/** The first characters of a text that fit into `maxBytes` bytes of UTF-8. */
function truncateToBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  const characters = [...text].filter((character) => (bytes += Buffer.byteLength(character)) <= maxBytes);
  return characters.join('').trim();
}
