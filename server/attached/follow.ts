/** Polls another lab manager's addresses for a dashboard on this machine. */
import { isObject } from '../../api/client/wire.ts';
import { signal, type ReadonlySignal, type Signal } from '@preact/signals-core';
import * as z from 'zod';
import { clock } from '../../api/time/clock.ts';
import { resolveContext, ensureTrailingSlash } from '../../api/hosts.ts';
import { noMaintenanceWindows, type MaintenanceWindows } from '../../api/lab/maintenance.ts';
import { unreadFollowedLab } from '../../api/lab/followedLab.ts';
import {
  maintenance,
  plannedMaintenance,
  type FollowedLab,
  type LabContext,
  type Maintenance,
} from '../../api/lab/lab.ts';
import { parseForeignContext } from './foreignContext.ts';
import type { FollowedState } from '../lab/labStatus.ts';
import { requestJson, type JsonResult } from '../net/requestJson.ts';
import type { JsonObject } from '../net/foreignJson.ts';
import { LabManagerReader, type ReadResult, type LostConnection } from './labManagerReader.ts';
import type { Log } from '../logging/log.ts';
import { cleanText } from '../logging/text.ts';
import { maxEntries } from '../maintenance/entries.ts';
import {
  compareHealth,
  healthInHistory,
  healthInLabHealth,
  type MeasuredLab,
  type ReportedHealth,
} from './reportedHealth.ts';

/**
 * Interval and timeout of `/lab_health` in ms. Both are long, because MADSci's own lab manager checks all of its managers
 * for each request.
 */
const labHealthIntervalMs = 30_000;
const labHealthTimeoutMs = 15_000;
/** Longest name accepted from another lab manager, in characters. */
const maxNameLength = 100;

export class Follower {
  readonly #url: string;
  readonly #log: Log;
  readonly #reader: LabManagerReader;
  /** The lab as measured here; `null` before the first measurement. */
  measured: { currentStatus(): MeasuredLab } | null = null;
  readonly #state: Signal<FollowedState>;
  #context: LabContext | null = null;
  #labName: string | null = null;
  #maintenance = noMaintenanceWindows;
  /** Name and addresses of the lab whose machine was confirmed; another lab at the same address needs a new confirmation. */
  #confirmedMachine: string | null = null;
  #health: ReportedHealth | null = null;
  /** The time of the next reading of its `/lab_health`, by the monotonic clock. */
  #nextLabHealthAt = 0;
  #reportedLab: FollowedLab['reported'] = null;
  /** The managers that differed at the previous reading: a change is observed at different times on both sides. */
  #differedBefore: ReadonlySet<string> = new Set();

  /**
   * @param url base address of the other lab manager
   */
  constructor(url: string, log: Log) {
    this.#url = ensureTrailingSlash(url);
    this.#log = log;
    this.#reader = new LabManagerReader(this.#url, log, {
      read: (stopping, timeoutMs) => this.#read(stopping, timeoutMs),
    });
    this.#state = signal(this.#currentState);
    this.#reader.lost.subscribe((lost) => lost !== null && this.#onLost());
  }

  /** Its machine, its report on the lab, and whether it responds, with the addresses in `context`. */
  get state(): ReadonlySignal<FollowedState> {
    return this.#state;
  }

  get #currentState(): FollowedState {
    return {
      lab: this.#followedLab,
      labName: this.#labName,
      maintenance: this.#maintenance,
      lostAt: this.#reader.lostAt,
    };
  }

  get #followedLab(): FollowedLab {
    const unread = unreadFollowedLab(this.#url);
    const identified = unread.identified || this.#confirmedMachine === this.#identity();
    return { ...unread, identified, reported: this.#reportedLab };
  }

  /** Marks the machine as confirmed by a person. The confirmation ends when it shows another lab or stops responding. */
  confirmMachine(): void {
    if (this.lost !== null) return;
    this.#confirmedMachine = this.#identity();
    this.#log.info(`The machine of ${this.#url} was confirmed`);
    this.#publish();
  }

  #publish(): void {
    this.#state.value = this.#currentState;
  }

  #identity(): string {
    return JSON.stringify([this.#labName, this.#context]);
  }

  /**
   * The addresses of the lab as reachable from here; the last known ones while the lab manager does not respond. `null`
   * before the first usable response.
   */
  get context(): LabContext | null {
    return this.#context;
  }

  /** Since when it sends no usable response, and why; `null` while it does. */
  get lost(): LostConnection | null {
    return this.#reader.lost.value;
  }

  /** The reason why it cannot be followed, if it has not sent usable addresses yet. */
  get unusableReason(): string {
    return `The lab manager at ${this.#url} can't be used: ${this.lost?.reason ?? 'no answer'}`;
  }

  /** Reads once, then every 5 s. Resolves after the first response or failure. */
  start(): Promise<void> {
    return this.#reader.start();
  }

  stop(): void {
    this.#reader.stop();
  }

  async #read(stopping: AbortSignal, timeoutMs: number): Promise<ReadResult> {
    const [context, settings, history] = await Promise.all([
      requestJson(`${this.#url}context`, timeoutMs, stopping),
      requestJson(`${this.#url}settings`, timeoutMs, stopping),
      // Only lab managers of this project have a history.
      requestJson(`${this.#url}lab_health/history`, timeoutMs, stopping),
    ]);
    if (!context.ok) return { reason: `/context: ${context.reason}` };
    const parsed = parseForeignContext(context.body);
    if (!parsed.ok) return { reason: `/context: ${parsed.problems.join('; ')}` };
    return {
      apply: (wasLost) => {
        const before = this.#fingerprint();
        this.#apply(parsed.context, settings, history, stopping);
        if (wasLost || this.#fingerprint() !== before) this.#publish();
      },
    };
  }

  #apply(context: LabContext, settings: JsonResult, history: JsonResult, stopping: AbortSignal): void {
    this.#maintenance = history.ok ? readMaintenance(history.body) : noMaintenanceWindows;
    // A loopback address in its context means its own machine, not this one.
    this.#context = resolveContext(context, new URL(this.#url).hostname).context;
    if (settings.ok && isObject(settings.body['settings'])) {
      const { manager_name, name = null } = settings.body['settings'];
      const labName = manager_name ?? name;
      this.#labName = typeof labName === 'string' ? labName.slice(0, maxNameLength) : null;
    }
    this.#compare(history.ok ? healthInHistory(history.body) : null, stopping);
  }

  /** Reports a difference only if it occurs in two consecutive readings. */
  #compare(healthFromHistory: ReportedHealth | null, stopping: AbortSignal): void {
    if (healthFromHistory !== null) this.#health = healthFromHistory;
    else if (clock.monotonic() >= this.#nextLabHealthAt) void this.#readLabHealth(stopping);
    if (this.#health === null) return;
    const { differing, ...counts } = compareHealth(this.#health, this.measured?.currentStatus() ?? null);
    this.#reportedLab = { ...counts, differing: differing.filter((manager) => this.#differedBefore.has(manager)) };
    this.#differedBefore = new Set(differing);
  }

  async #readLabHealth(stopping: AbortSignal): Promise<void> {
    this.#nextLabHealthAt = clock.monotonic() + labHealthIntervalMs;
    const response = await requestJson(`${this.#url}lab_health`, labHealthTimeoutMs, stopping);
    this.#health = response.ok ? healthInLabHealth(response.body) : null;
    if (this.#health !== null || this.#reportedLab === null) return;
    this.#reportedLab = null;
    this.#publish();
  }

  #fingerprint(): string {
    return JSON.stringify([this.#context, this.#labName, this.#maintenance, this.#reportedLab]);
  }

  #onLost(): void {
    // Another machine may respond at this address next.
    this.#confirmedMachine = null;
    this.#reportedLab = null;
    this.#publish();
  }
}

/** The used fields of its history. */
const received = z.object({
  maintenance: z.array(maintenance).max(maxEntries).default([]),
  planned_maintenance: z.array(plannedMaintenance).max(maxEntries).default([]),
});

function readMaintenance(body: JsonObject): MaintenanceWindows {
  const read = received.safeParse(body);
  if (!read.success) return noMaintenanceWindows;
  return { current: cleanWindows(read.data.maintenance), planned: cleanWindows(read.data.planned_maintenance) };
}

function cleanWindows<Window extends Maintenance>(windows: readonly Window[]): readonly Window[] {
  const isTime = (text: string) => !Number.isNaN(Date.parse(text));
  return windows
    .filter(({ from, until }) => isTime(from) && isTime(until))
    .map((window) => ({ ...window, name: cleanText(window.name).slice(0, maxNameLength) }));
}
