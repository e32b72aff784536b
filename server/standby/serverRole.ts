/**
 * Whether this server is the active one of two that watch the same lab. Only the active one sends notifications; both
 * serve the lab.
 */
import { networkInterfaces } from 'node:os';
import { isInNetworks } from '../net/networks.ts';
import type { Log } from '../logging/log.ts';

const checkIntervalMs = 1000;

export interface ServerRoleParts {
  readonly settings: () => { readonly sharedAddress: string | null };
  /** Called after each change of the role. */
  readonly onChange: () => void;
  readonly log: Log;
  /** The addresses of this machine. */
  readonly ownAddresses?: () => readonly string[];
}

export class ServerRole {
  readonly #parts: ServerRoleParts;
  #reason: string | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: ServerRoleParts) {
    this.#parts = parts;
    this.#reason = this.#currentReason();
  }

  /** Why this server is on standby; `null` while it is active. */
  get standbyReason(): string | null {
    return this.#reason;
  }

  start(): void {
    if (this.#reason !== null) this.#parts.log.info(`On standby: ${this.#reason}`);
    this.#timer = setInterval(() => this.check(), checkIntervalMs);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Determines the role again. */
  check(): void {
    const before = this.#reason;
    this.#reason = this.#currentReason();
    if (this.#reason === before) return;
    const { log, onChange } = this.#parts;
    log.info(this.#reason === null ? 'Active: this server sends the notifications' : `On standby: ${this.#reason}`);
    onChange();
  }

  #currentReason(): string | null {
    const { settings, ownAddresses = machineAddresses } = this.#parts;
    const { sharedAddress } = settings();
    if (sharedAddress === null || ownAddresses().some((own) => isInNetworks(own, networkOf(sharedAddress))))
      return null;
    return `this machine does not have the shared address ${sharedAddress}`;
  }
}

let shared: readonly string[] = [];

/** The same array for the same address, which `isInNetworks` compiles once. */
function networkOf(address: string): readonly string[] {
  if (shared[0] !== address) shared = [address];
  return shared;
}

/** IPv6 addresses have several spellings, so they are compared as addresses. */
function machineAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}
