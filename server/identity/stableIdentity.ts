/**
 * The lab manager's ID from MADSci's ID registry: the same after each restart, and used by one lab manager at a time.
 * Until the registry grants it, and while the registry is unusable, the identity is "not settled".
 */
import { hostname } from 'node:os';
import { ulid } from 'ulid';
import { clock, startTimeout } from '../../api/time/clock.ts';
import { pause } from '../../api/time/pause.ts';
import { errorText } from '../../api/errorText.ts';
import type { IdentityReport } from '../../api/lab/settings.ts';
import type { Log } from '../logging/log.ts';
import { StorageTimeoutError, withStorageTimeout } from '../storage/storageTimeout.ts';
import { findEntry, updateRegistry, type RegistryEntry, type RegistryLock } from './registryFile.ts';

/** Times of MADSci 0.8.1, in ms. */
const madsciTimes = {
  /** Validity of a lock after it was acquired or renewed. */
  lockMs: 30_000,
  renewMs: 10_000,
  /** Retry interval while another process has the lock. */
  retryMs: 2000,
  /** Timeout for the lock on the file itself, which lasts for one write. */
  fileLockMs: 5000,
};

/** The class name of MADSci's lab manager, which is the default name. */
const managerClass = 'LabManager';
/** Timeout of the release: the service stops within 3 s. */
const releaseTimeoutMs = 1500;

export interface IdentityOptions {
  /** Full path of `registry.json`. */
  readonly registryPath: string;
  /** `lab_manager_name`. */
  readonly name: string | null;
  /** How long to retry at short intervals while another process has the ID, in seconds. */
  readonly lockTimeoutSeconds: number;
  /** The ID until the registry grants one. */
  readonly generatedId: string;
  readonly log: Log;
  readonly times?: Partial<typeof madsciTimes>;
}

/** The ID in use, and its report in `/settings`. */
export interface Identity {
  readonly id: string;
  readonly isFromRegistry: boolean;
  readonly report: IdentityReport;
}

type Outcome =
  | { readonly kind: 'granted'; readonly id: string }
  | { readonly kind: 'held'; readonly holder: RegistryLock }
  /** `id` is the registry's ID if it is readable and not in use; otherwise `null`. */
  | { readonly kind: 'failed'; readonly problem: string; readonly id: string | null };

export class StableIdentity {
  readonly #options: IdentityOptions;
  readonly #times: typeof madsciTimes;
  readonly #name: string;
  readonly #instance = ulid();
  readonly #stopping = new AbortController();
  #current: Identity;
  /** When the registry last granted or renewed the ID, by `performance.now()`. */
  #grantedAt: number | null = null;
  #running: Promise<void> = Promise.resolve();
  /** Whether an attempt hangs in its storage; no further one starts before it ends. */
  #isStuck = false;

  constructor(options: IdentityOptions) {
    this.#options = options;
    this.#times = { ...madsciTimes, ...options.times };
    this.#name = options.name ?? managerClass;
    this.#current = {
      id: options.generatedId,
      isFromRegistry: false,
      report: this.#report(false, 'The ID registry has not responded yet', null),
    };
  }

  get current(): Identity {
    return this.#current;
  }

  /** Claims the ID in the background, and renews it until `stop`. */
  start(): void {
    this.#running = this.#run();
  }

  /** Releases the ID for another process, within 1.5 s. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    // The signal ends a pending attempt, unless its storage does not respond.
    await withStorageTimeout(this.#running, 500).catch(() => undefined);
    if (this.#grantedAt === null || this.#isStuck) return;
    this.#grantedAt = null;
    try {
      await this.#update(
        (entry) => (entry?.lock?.holder_instance === this.#instance ? { ...entry, lock: null } : null),
        releaseTimeoutMs,
      );
    } catch (error) {
      this.#options.log.warn(`The ID ${this.#current.id} stays locked for up to 30 s: ${errorText(error)}`);
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const contentionEnds = clock.monotonic() + this.#options.lockTimeoutSeconds * 1000;
    while (!signal.aborted) {
      const outcome = await this.#attempt();
      // An ID granted during a stop must still be released.
      if (!signal.aborted || outcome.kind === 'granted') this.#apply(outcome);
      const isContended = outcome.kind === 'held' && clock.monotonic() < contentionEnds;
      await pause(isContended ? this.#times.retryMs : this.#times.renewMs, signal);
    }
  }

  async #attempt(): Promise<Outcome> {
    let outcome: Outcome = { kind: 'failed', problem: 'the storage does not respond', id: null };
    if (this.#isStuck) return outcome;
    try {
      await this.#update((entry) => {
        const holder = this.#otherHolder(entry);
        const id = entry?.id ?? (this.#current.isFromRegistry ? this.#current.id : ulid());
        outcome = holder ? { kind: 'held', holder } : { kind: 'granted', id };
        return holder ? null : this.#claimedEntry(entry, id);
      }, this.#times.fileLockMs);
      return outcome;
    } catch (error) {
      return { kind: 'failed', problem: errorText(error), id: await this.#readableId() };
    }
  }

  /** Ends at its timeout even if the storage does not respond. */
  async #update(change: (entry: RegistryEntry | null) => RegistryEntry | null, lockMs: number): Promise<void> {
    const timeout = startTimeout(lockMs);
    const signal = AbortSignal.any([timeout.signal, ...(this.#stopping.signal.aborted ? [] : [this.#stopping.signal])]);
    const work = updateRegistry(this.#options.registryPath, this.#name, change, signal).finally(timeout.clear);
    await this.#withTimeout(work, lockMs + 500);
  }

  async #withTimeout<Value>(work: Promise<Value>, ms: number): Promise<Value> {
    try {
      return await withStorageTimeout(work, ms);
    } catch (error) {
      if (error instanceof StorageTimeoutError) {
        this.#isStuck = true;
        void work.catch(() => undefined).then(() => (this.#isStuck = false));
      }
      throw error;
    }
  }

  /** The ID in a registry that cannot be locked or written, unless another process uses it. */
  async #readableId(): Promise<string | null> {
    if (this.#isStuck) return null;
    try {
      const entry = await this.#withTimeout(findEntry(this.#options.registryPath, this.#name), 2000);
      return entry !== null && this.#otherHolder(entry) === null ? entry.id : null;
    } catch {
      // The reported reason is that of the failed write.
      return null;
    }
  }

  #otherHolder(entry: RegistryEntry | null): RegistryLock | null {
    const lock = entry?.lock ?? null;
    return lock !== null && lock.holder_instance !== this.#instance && clock.now() < Date.parse(lock.expires_at)
      ? lock
      : null;
  }

  #claimedEntry(entry: RegistryEntry | null, id: string): RegistryEntry {
    const now = new Date(clock.now()).toISOString();
    const isOurs = entry?.lock?.holder_instance === this.#instance;
    return {
      ...entry,
      id,
      component_type: entry?.component_type ?? 'manager',
      created_at: entry?.created_at ?? now,
      last_seen: now,
      metadata: { ...entry?.metadata, manager_class: managerClass },
      lock: {
        holder_pid: process.pid,
        holder_host: hostname(),
        holder_instance: this.#instance,
        acquired_at: isOurs ? (entry?.lock?.acquired_at ?? now) : now,
        heartbeat_at: now,
        expires_at: new Date(clock.now() + this.#times.lockMs).toISOString(),
      },
      workcell_id: entry?.workcell_id ?? null,
    };
  }

  #apply(outcome: Outcome): void {
    const { generatedId } = this.#options;
    switch (outcome.kind) {
      case 'granted':
        this.#grantedAt = clock.monotonic();
        return this.#setIdentity(outcome.id, true, this.#report(true, null, null));
      case 'held': {
        this.#grantedAt = null;
        const { holder_host: host, holder_pid: pid, acquired_at: since } = outcome.holder;
        const problem = `The ID of ${JSON.stringify(this.#name)} is in use by another process (${host}, process ${pid})`;
        // Two lab managers with one ID could not be distinguished.
        return this.#setIdentity(generatedId, false, this.#report(false, problem, { host, pid, since }));
      }
      case 'failed': {
        // A granted ID remains valid until its lock expires.
        if (this.#grantedAt !== null && clock.monotonic() - this.#grantedAt < this.#times.lockMs) return;
        const id = this.#grantedAt === null ? outcome.id : this.#current.id;
        const problem = `The ID registry cannot be used: ${outcome.problem}`;
        return this.#setIdentity(id ?? generatedId, id !== null, this.#report(false, problem, null));
      }
    }
  }

  #report(settled: boolean, problem: string | null, holder: IdentityReport['holder']): IdentityReport {
    return { name: this.#name, settled, problem, holder, since: new Date(clock.now()).toISOString() };
  }

  #setIdentity(id: string, isFromRegistry: boolean, report: IdentityReport): void {
    const last = this.#current;
    const isSame = last.id === id && last.report.settled === report.settled && last.report.problem === report.problem;
    if (isSame) return;
    this.#current = { id, isFromRegistry, report };
    const { log, registryPath } = this.#options;
    if (report.settled) log.info(`Identity settled: ${id} (${JSON.stringify(this.#name)} in ${registryPath})`);
    else
      log.warn(
        `Identity not settled: ${report.problem}. The lab manager runs with ${isFromRegistry ? 'the recorded ID' : 'an ID of its own'} ${id} (${registryPath}).`,
      );
  }
}
