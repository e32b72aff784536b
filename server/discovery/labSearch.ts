/** Finds the labs that are announced by mDNS on the networks of this machine. All responses are untrusted. */
import type Bonjour from 'bonjour-service';
import type { Browser, Service } from 'bonjour-service';
import { isIP } from 'node:net';
import { clock } from '../../api/time/clock.ts';
import type { Log } from '../logging/log.ts';
import { cleanText } from '../logging/text.ts';
import { isInNetworks } from '../net/networks.ts';
import type { Network } from './mdnsSocket.ts';
import { localNetworks, MdnsNetworks, serviceType, type Participant } from './mdnsNetworks.ts';

/** A lab that was announced. */
export interface AnnouncedLab {
  /** The address of its lab manager, always by IP address: not every system resolves names of mDNS. */
  readonly url: string;
  readonly name: string;
  /** The name of its machine, or its IP address. */
  readonly machine: string;
}

/** Intervals between queries in ms: short at first, because a message can be lost. */
const queryIntervalsMs = [1000, 2000, 5000] as const;
/** A lab is removed after this number of queries without a response. */
const maxMissedQueries = 3;
const maxLabs = 100;
/** Maximum length of a name, in characters. */
const maxNameLength = 64;

interface FoundLab {
  readonly lab: AnnouncedLab;
  /** The number of the last query that it responded to. */
  lastQuery: number;
}

export class LabSearch {
  readonly #networks: MdnsNetworks;
  /** By network and mDNS name. */
  readonly #found = new Map<string, FoundLab>();

  /** @param networks the networks of this machine */
  constructor(log: Log, networks = localNetworks) {
    this.#networks = new MdnsNetworks((bonjour, network) => new Search(bonjour, network, this.#found), log, networks);
  }

  start(): void {
    this.#networks.start();
  }

  async stop(): Promise<void> {
    await this.#networks.stop();
    this.#found.clear();
  }

  /** The labs found, sorted by name, each address once. */
  get labs(): readonly AnnouncedLab[] {
    const byUrl = new Map([...this.#found.values()].map(({ lab }) => [lab.url, lab]));
    return [...byUrl.values()].toSorted((a, b) => a.name.localeCompare(b.name) || a.url.localeCompare(b.url));
  }
}

/** The search on one network. */
class Search implements Participant {
  readonly #bonjour: Bonjour;
  readonly #network: readonly string[];
  readonly #found: Map<string, FoundLab>;
  #browser: Browser | null = null;
  #queryCount = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(bonjour: Bonjour, { cidr }: Network, found: Map<string, FoundLab>) {
    this.#bonjour = bonjour;
    this.#network = [cidr];
    this.#found = found;
    this.#search();
  }

  leave(): void {
    if (this.#timer !== null) clock.clearTimeout(this.#timer);
    this.#browser?.stop();
    for (const name of this.#found.keys()) if (name.startsWith(this.#prefix)) this.#found.delete(name);
  }

  /** Sends a query with a new browser, because a browser reports each service only once and never removes one. */
  #search(): void {
    this.#browser?.stop();
    this.#queryCount += 1;
    const inNetwork = [...this.#found].filter(([name]) => name.startsWith(this.#prefix));
    for (const [name, { lastQuery }] of inNetwork)
      if (this.#queryCount - lastQuery > maxMissedQueries) this.#found.delete(name);
    const browser = this.#bonjour.find({ type: serviceType });
    for (const event of ['up', 'srv-update', 'txt-update'] as const)
      browser.on(event, (service: Service) => this.#receive(browser, service));
    browser.on('down', ({ fqdn }) => this.#found.delete(this.#prefix + fqdn));
    this.#browser = browser;
    const waitMs = queryIntervalsMs[Math.min(this.#queryCount, queryIntervalsMs.length) - 1] ?? 0;
    this.#timer = clock.setTimeout(() => this.#search(), waitMs);
  }

  #receive(browser: Browser, service: Service): void {
    if (browser.services.length > maxLabs) browser.stop();
    const lab = parseAnnouncement(service, this.#network);
    const name = this.#prefix + service.fqdn;
    if (lab === null || (this.#found.size >= maxLabs && !this.#found.has(name))) return;
    // The message that withdraws an earlier name can be lost.
    for (const [other, { lab: known }] of this.#found)
      if (other !== name && other.startsWith(this.#prefix) && known.url === lab.url) this.#found.delete(other);
    this.#found.set(name, { lab, lastQuery: this.#queryCount });
  }

  get #prefix(): string {
    return `${this.#network[0]} `;
  }
}

/**
 * The lab of a response; `null` if the response is unusable. Only addresses of the network on which it arrived are accepted,
 * so that no response directs a request to this machine's loopback or to another network.
 */
export function parseAnnouncement(
  service: Pick<Service, 'fqdn' | 'port' | 'host'> & Partial<Pick<Service, 'addresses' | 'referer' | 'txt'>>,
  networks: readonly string[],
): AnnouncedLab | null {
  const { port, addresses = [], referer } = service;
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return null;
  const sender = referer?.address ?? '';
  const usable = addresses.filter((address) => isIP(address) === 4 && isInNetworks(address, networks));
  // Of several addresses, the one that sent the response is reachable.
  const address = usable.includes(sender) ? sender : usable[0];
  if (address === undefined) return null;
  const txt = textEntries(service.txt);
  const name = cleanText(service.fqdn.replace(/\.?_madsci-lab\._tcp\.local\.?$/i, ''), maxNameLength);
  const machine = cleanText(txt['machine'] ?? service.host.replace(/\.local\.?$/i, ''), maxNameLength);
  return {
    url: new URL(`http://${address}:${port}${normalizePath(txt['path'])}`).href,
    name: name === '' ? address : name,
    machine: machine === '' ? address : machine,
  };
}

function textEntries(txt: unknown): Readonly<Record<string, string>> {
  const entries = typeof txt === 'object' && txt !== null ? Object.entries(txt) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** The path of the lab manager behind a proxy, with a trailing slash; `/` if it is not a plain path. */
function normalizePath(path = '/'): string {
  const isPlain = path.length <= 100 && /^(?:\/[\w-][\w.-]*)+\/?$/.test(path);
  return isPlain ? `${path.replace(/\/$/, '')}/` : '/';
}
