/**
 * Determines whether this server is the active one of two that watch the same lab. Only the active one sends
 * notifications; both serve the lab.
 */
import { clock } from '../../api/time/clock.ts';
import type { Database } from '../database/database.ts';
import { interfaceAddresses } from '../net/interfaces.ts';
import { isInNetworks } from '../net/networks.ts';
import type { Log } from '../logging/log.ts';
import { readActiveServer } from './activeServer.ts';

const checkIntervalMs = 1000;
/** The time without the database after which a server that was not the leader searches for an active one, in ms. */
const failoverDelayMs = 15_000;

export interface ServerRoleParts {
  readonly settings: () => { readonly sharedAddress: string | null; readonly serverUrl: string };
  /** Called after each change of the role. */
  readonly onChange: () => void;
  readonly log: Log;
  /** The addresses of this machine. */
  readonly ownAddresses?: () => readonly string[];
  /** Whether an active lab manager responds at an address. */
  readonly isActiveAt?: (url: string, signal: AbortSignal) => Promise<boolean>;
}

/** The part of the shared database that decides the role. */
export type Leadership = Pick<Database, 'connection' | 'isLeader' | 'leader' | 'check'>;

export class ServerRole {
  readonly #parts: ServerRoleParts;
  #database: Leadership | null = null;
  #reason: string | null = null;
  #hadAddress: boolean | null = null;
  #isStarted = false;
  #timer: NodeJS.Timeout | null = null;
  /**
   * When the database was lost, or an active server last responded without it, by `performance.now()`; `null` while the
   * database is connected or this server is the leader.
   */
  #unreachableSince: number | null = null;
  #isAlone = false;
  #lookup: AbortController | null = null;

  constructor(parts: ServerRoleParts) {
    this.#parts = parts;
    this.#reason = this.#currentReason();
  }

  /** Why this server is on standby; `null` while it is active. */
  get standbyReason(): string | null {
    return this.#reason;
  }

  /** Whether the machine has the shared address; true if there is none. */
  get hasAddress(): boolean {
    const { settings, ownAddresses = machineAddresses } = this.#parts;
    const { sharedAddress } = settings();
    return sharedAddress === null || ownAddresses().some((address) => isInNetworks(address, asNetworks(sharedAddress)));
  }

  /** From now on, the database decides which server is the leader. */
  useDatabase(database: Leadership): void {
    this.#database = database;
    this.#unreachableSince = clock.monotonic();
    this.check();
  }

  start(): void {
    if (this.#reason !== null && this.#database === null) this.#parts.log.info(`On standby: ${this.#reason}`);
    this.#isStarted = true;
    this.#schedule();
  }

  stop(): void {
    this.#isStarted = false;
    this.#schedule();
    this.#lookup?.abort();
  }

  /** Applies changed settings. */
  configure(): void {
    if (!this.#isStarted) return;
    this.check();
    this.#schedule();
  }

  /** A lab manager without a second server has nothing to check. */
  #schedule(): void {
    const hasOther = this.#parts.settings().sharedAddress !== null || this.#database !== null;
    if (this.#isStarted && hasOther) this.#timer ??= clock.setInterval(() => this.check(), checkIntervalMs);
    else if (this.#timer) {
      clock.clearInterval(this.#timer);
      this.#timer = null;
    }
  }

  /** Determines the role again. */
  check(): void {
    this.#checkForActiveServer();
    const { hasAddress } = this;
    // The server that loses the address gives up the leadership, and the other one becomes a candidate.
    if (hasAddress !== this.#hadAddress) this.#database?.check();
    this.#hadAddress = hasAddress;
    const before = this.#reason;
    this.#reason = this.#currentReason();
    if (this.#reason === before) return;
    const { log, onChange } = this.#parts;
    log.info(this.#reason === null ? 'Active: this server sends the notifications' : `On standby: ${this.#reason}`);
    onChange();
  }

  #currentReason(): string | null {
    const { sharedAddress } = this.#parts.settings();
    if (!this.hasAddress) return `this machine does not have the shared address ${sharedAddress}`;
    const database = this.#database;
    if (database === null || database.isLeader) return null;
    if (database.connection.state === 'connected')
      return database.leader === null ? 'no server is the leader yet' : `${database.leader} is the leader`;
    if (this.#isAlone) return null;
    return 'the database cannot be used, and this server was not the leader';
  }

  #isFailoverDue(): boolean {
    return this.#unreachableSince !== null && clock.monotonic() - this.#unreachableSince >= failoverDelayMs;
  }

  /**
   * The database may have failed together with the leader if both are on one machine. Then this server becomes active,
   * unless an active server responds at the address of the lab.
   */
  #checkForActiveServer(): void {
    const database = this.#database;
    if (database === null || database.connection.state === 'connected' || database.isLeader) {
      this.#unreachableSince =
        database?.connection.state === 'connected' || database?.isLeader ? null : this.#unreachableSince;
      this.#isAlone = false;
      return;
    }
    this.#unreachableSince ??= clock.monotonic();
    if (this.#isAlone || !this.#isFailoverDue() || this.#lookup !== null) return;
    const { settings, isActiveAt = respondsAsActive } = this.#parts;
    const lookup = new AbortController();
    this.#lookup = lookup;
    void isActiveAt(settings().serverUrl, lookup.signal).then((isActive) => {
      this.#lookup = null;
      if (lookup.signal.aborted) return;
      if (isActive) this.#unreachableSince = clock.monotonic();
      else this.#isAlone = true;
      this.check();
    });
  }
}

async function respondsAsActive(url: string, signal: AbortSignal): Promise<boolean> {
  return 'history' in (await readActiveServer(url, signal));
}

let cachedNetworks: readonly string[] = [];

/**
 * Addresses are compared as networks because an IPv6 address has several spellings. Returns the same array for the same
 * address, because `isInNetworks` caches by array.
 */
function asNetworks(address: string): readonly string[] {
  if (cachedNetworks[0] !== address) cachedNetworks = [address];
  return cachedNetworks;
}

function machineAddresses(): readonly string[] {
  return interfaceAddresses().map(({ address }) => address);
}
