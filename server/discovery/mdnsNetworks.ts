/** Runs bonjour-service on every IPv4 network of this machine, including networks that it joins later. */
import type Bonjour from 'bonjour-service';
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import type { Log } from '../logging/log.ts';
import { interfaceAddresses } from '../net/interfaces.ts';
import { isInNetworks } from '../net/networks.ts';
import { MdnsSocket, type Network } from './mdnsSocket.ts';

/** The type of the service in mDNS: `_madsci-lab._tcp`. */
export const serviceType = 'madsci-lab';

/** Interval of the checks for new or removed interfaces, in ms. */
const checkIntervalMs = 2000;
/** Maximum number of networks: a machine with containers can have any number. */
const maxNetworks = 16;

/** The activity on one network, such as an announcement or a search, until the network is left. */
export interface Participant {
  /** Ends the activity; resolves when its last message is sent. */
  leave(): void | Promise<void>;
}

interface JoinedNetwork {
  readonly bonjour: Bonjour;
  readonly participant: Participant;
}

export class MdnsNetworks {
  readonly #createParticipant: (bonjour: Bonjour, network: Network) => Participant;
  readonly #log: Log;
  readonly #currentNetworks: () => readonly Network[];
  readonly #joined = new Map<string, JoinedNetwork>();
  /** The networks that are being joined or left. */
  readonly #pending = new Map<string, Promise<void>>();
  /** The last failure of each network, which is logged once. */
  readonly #failures = new Map<string, string>();
  #timer: NodeJS.Timeout | null = null;

  /** @param join starts the activity on a network @param networks returns the networks of this machine */
  constructor(join: (bonjour: Bonjour, network: Network) => Participant, log: Log, networks = localNetworks) {
    this.#createParticipant = join;
    this.#log = log;
    this.#currentNetworks = networks;
  }

  start(): void {
    if (this.#timer !== null) return;
    this.#timer = clock.setInterval(() => this.#check(), checkIntervalMs);
    this.#check();
  }

  /** Leaves all networks. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clock.clearInterval(this.#timer);
    this.#timer = null;
    this.#failures.clear();
    await Promise.all(this.#pending.values());
    await Promise.all([...this.#joined.keys()].map((cidr) => this.#leave(cidr)));
  }

  /** Leaves all networks and joins them again. */
  async renew(): Promise<void> {
    await Promise.all([...this.#joined.keys()].map((cidr) => this.#runUnlessPending(cidr, () => this.#leave(cidr))));
    if (this.#timer !== null) this.#check();
  }

  #check(): void {
    const all = this.#currentNetworks();
    // Two participants in the same network would conflict with each other's names.
    const networks = all
      .filter(({ address }, index) => !all.slice(0, index).some(({ cidr }) => isInNetworks(address, [cidr])))
      .slice(0, maxNetworks);
    for (const cidr of this.#joined.keys())
      if (!networks.some((network) => network.cidr === cidr))
        void this.#runUnlessPending(cidr, () => this.#leave(cidr));
    for (const network of networks)
      if (!this.#joined.has(network.cidr)) void this.#runUnlessPending(network.cidr, () => this.#join(network));
  }

  /** Runs `step` unless another one is pending for this network; then the next check continues. */
  #runUnlessPending(cidr: string, step: () => Promise<void>): Promise<void> {
    const earlier = this.#pending.get(cidr);
    if (earlier !== undefined) return earlier;
    const running = step().finally(() => this.#pending.delete(cidr));
    this.#pending.set(cidr, running);
    return running;
  }

  async #join(network: Network): Promise<void> {
    let socket: MdnsSocket | null = null;
    try {
      const { default: BonjourService } = await import('bonjour-service');
      socket = await MdnsSocket.open(network, this.#log);
      // The types of bonjour-service lack the options that it passes on to multicast-dns.
      const options: object = { socket, bind: false };
      const bonjour = new BonjourService(options, (error: unknown) => this.#fail(network.cidr, error));
      this.#joined.set(network.cidr, { bonjour, participant: this.#createParticipant(bonjour, network) });
      this.#failures.delete(network.cidr);
    } catch (error) {
      socket?.close();
      this.#fail(network.cidr, error);
    }
  }

  async #leave(cidr: string): Promise<void> {
    const joined = this.#joined.get(cidr);
    if (joined === undefined) return;
    this.#joined.delete(cidr);
    try {
      await joined.participant.leave();
    } catch (error) {
      this.#fail(cidr, error);
    }
    await new Promise<void>((resolve) => joined.bonjour.destroy(resolve));
  }

  #fail(cidr: string, error: unknown): void {
    const text = errorText(error);
    if (this.#failures.get(cidr) === text) return;
    this.#failures.set(cidr, text);
    this.#log.warn(`mDNS can't be used on the network ${cidr}: ${text}. LAB_MDNS=false switches it off`);
  }
}

/** The IPv4 networks of this machine, without loopback. */
export function localNetworks(): Network[] {
  return interfaceAddresses().flatMap(({ family, internal, address, cidr }) =>
    family === 'IPv4' && !internal && cidr !== null ? [{ address, cidr }] : [],
  );
}
