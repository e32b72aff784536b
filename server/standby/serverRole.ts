/**
 * Determines whether this server is the active one of two that watch the same lab. Only the active one sends
 * notifications; both serve the lab.
 */
import { clock } from '../../api/time/clock.ts';
import type { Database } from '../database/database.ts';
import type { LabModel } from '../lab/labModel.ts';
import { interfaceAddresses } from '../net/interfaces.ts';
import { isInNetworks } from '../net/networks.ts';
import type { Log } from '../logging/log.ts';
import { readActiveServer } from './activeServer.ts';

const checkIntervalMs = 1000;
/** The time without the database after which a server that was not the leader searches for an active one, in ms. */
const failoverDelayMs = 15_000;

export interface ServerRoleParts {
  /** Receives the role. */
  readonly lab: LabModel;
  readonly log: Log;
  /** The addresses of this machine. */
  readonly ownAddresses?: () => readonly string[];
  /** Whether an active lab manager responds at an address. */
  readonly isActiveAt?: (url: string, signal: AbortSignal) => Promise<boolean>;
}

/** The part of the shared database that decides the role. */
export type Leadership = Pick<Database, 'connection' | 'isLeader' | 'leader' | 'isCandidate' | 'check'>;

export class ServerRole {
  readonly #parts: ServerRoleParts;
  #database: Leadership | null = null;
  #hadAddress: boolean | null = null;
  #isStarted = false;
  #timer: NodeJS.Timeout | null = null;
  #unsubscribe: (() => void) | null = null;
  /**
   * When the database was lost, or an active server last responded without it, by `performance.now()`; `null` while the
   * database is connected or this server is the leader.
   */
  #unreachableSince: number | null = null;
  #isAlone = false;
  #lookup: AbortController | null = null;

  constructor(parts: ServerRoleParts) {
    this.#parts = parts;
    parts.lab.standby.value = this.#currentReason();
  }

  /** Whether the machine has the shared address; true if there is none. */
  get #hasAddress(): boolean {
    const { lab, ownAddresses = machineAddresses } = this.#parts;
    const { sharedAddress } = lab.settings.value;
    return sharedAddress === null || ownAddresses().some((address) => isInNetworks(address, asNetworks(sharedAddress)));
  }

  /** From now on, the database decides which server is the leader. */
  useDatabase(database: Leadership): void {
    this.#database = database;
    this.#unreachableSince = clock.monotonic();
    this.check();
  }

  start(): void {
    const { lab, log } = this.#parts;
    const { value: reason } = lab.standby;
    if (reason !== null && this.#database === null) log.info(`On standby: ${reason}`);
    this.#isStarted = true;
    this.#unsubscribe = lab.settings.subscribe(() => {
      this.check();
      this.#schedule();
    });
  }

  stop(): void {
    this.#isStarted = false;
    this.#unsubscribe?.();
    this.#schedule();
    this.#lookup?.abort();
  }

  /** A lab manager without a second server has nothing to check. */
  #schedule(): void {
    const hasOther = this.#parts.lab.settings.value.sharedAddress !== null || this.#database !== null;
    if (this.#isStarted && hasOther) this.#timer ??= clock.setInterval(() => this.check(), checkIntervalMs);
    else if (this.#timer) {
      clock.clearInterval(this.#timer);
      this.#timer = null;
    }
  }

  /** Determines the role again. */
  check(): void {
    this.#checkForActiveServer();
    const hasAddress = this.#hasAddress;
    if (this.#database !== null) this.#database.isCandidate = hasAddress;
    // The server that loses the address gives up the leadership, and the other one becomes a candidate.
    if (hasAddress !== this.#hadAddress) this.#database?.check();
    this.#hadAddress = hasAddress;
    const { lab, log } = this.#parts;
    const reason = this.#currentReason();
    if (reason === lab.standby.value) return;
    log.info(reason === null ? 'Active: this server sends the notifications' : `On standby: ${reason}`);
    lab.standby.value = reason;
  }

  #currentReason(): string | null {
    const { sharedAddress } = this.#parts.lab.settings.value;
    if (!this.#hasAddress) return `this machine does not have the shared address ${sharedAddress}`;
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
    const { lab, isActiveAt = respondsAsActive } = this.#parts;
    const lookup = new AbortController();
    this.#lookup = lookup;
    void isActiveAt(lab.settings.value.serverUrl, lookup.signal).then((isActive) => {
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
