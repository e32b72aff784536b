/** Another lab manager's addresses, read again and again, for a dashboard on this machine. */
import * as z from 'zod';
import { resolveContext, baseUrl } from '../../api/hosts.ts';
import { unreadLab } from '../../api/lab/followed.ts';
import { maintenance, type FollowedLab, type LabContext, type Maintenance } from '../../api/lab/lab.ts';
import { parseForeignContext } from './foreignContext.ts';
import { askJson } from '../net/askJson.ts';
import { isJsonObject, type JsonObject } from '../net/foreignJson.ts';
import type { Log } from '../logging/log.ts';
import { cleanText } from '../logging/text.ts';
import { mostEntries } from '../maintenance/entries.ts';
import {
  compareHealth,
  healthInHistory,
  healthInLabHealth,
  type MeasuredLab,
  type ReportedHealth,
} from './reportedHealth.ts';

const rereadMs = 5000;
const timeoutMs = 5000;
/** `/lab_health` of another kind of lab manager asks all of its managers each time: milliseconds between two, and for one. */
const labHealthMs = 30_000;
const labHealthTimeoutMs = 15_000;
/** One that is silent for this long leaves the lab's state unknown, in milliseconds. */
const doubtMs = 15_000;
/** Longest name taken from another lab manager, in characters. */
const maxName = 100;

/** Since when another lab manager does not respond (ms since the epoch), and why. */
export interface Lost {
  readonly since: number;
  readonly reason: string;
}

export interface FollowerWiring {
  /** Called when its addresses, its name, what it reports or whether it answers changed. */
  readonly onChange: () => void;
  /** The lab as it is measured here; `null` before it is. */
  readonly measured: () => MeasuredLab | null;
}

export class Follower {
  readonly #url: string;
  readonly #log: Log;
  readonly #wiring: FollowerWiring;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #context: LabContext | null = null;
  #labName: string | null = null;
  #maintenance: readonly Maintenance[] = [];
  #lost: Lost | null = null;
  /** When it was lost, by the steady clock. */
  #lostAt = 0;
  /** The lab that the confirmed machine had: another one at the same address was not confirmed. */
  #confirmed: string | null = null;
  #health: ReportedHealth | null = null;
  /** When its `/lab_health` is read next, by the steady clock. */
  #nextLabHealth = 0;
  #reported: FollowedLab['reported'] = null;
  /** The managers that differed at the reading before: a change reaches both sides at different times. */
  #differedBefore: ReadonlySet<string> = new Set();

  /**
   * @param url base address of the other lab manager
   */
  constructor(url: string, log: Log, wiring: FollowerWiring) {
    this.#url = baseUrl(url);
    this.#log = log;
    this.#wiring = wiring;
  }

  /** It, its machine, and what it reports of its lab. */
  get followed(): FollowedLab {
    const unread = unreadLab(this.#url);
    const identified = unread.identified || this.#confirmed === this.#identity();
    return { ...unread, identified, reported: this.#reported };
  }

  /** A person has confirmed which machine it runs on. That ends when it shows another lab or no longer answers. */
  confirmMachine(): void {
    if (this.#lost !== null) return;
    this.#confirmed = this.#identity();
    this.#log.info(`The machine of ${this.#url} was confirmed`);
    this.#wiring.onChange();
  }

  #identity(): string {
    return JSON.stringify([this.#labName, this.#context]);
  }

  /** Its addresses as they are reached from here, the last known ones while it is lost; `null` until it gave usable ones. */
  get context(): LabContext | null {
    return this.#context;
  }

  get labName(): string | null {
    return this.#labName;
  }

  /** What is in maintenance there. */
  get maintenance(): readonly Maintenance[] {
    return this.#maintenance;
  }

  /** Since when it gives no usable answer, and why; `null` while it does. */
  get lost(): Lost | null {
    return this.#lost;
  }

  /** Why the lab is unknown though its managers answer: the addresses may be old. `null` while they aren't. */
  get doubt(): string | null {
    if (this.#lost === null || performance.now() - this.#lostAt < doubtMs) return null;
    return `The lab manager at ${this.#url} does not answer; its last known addresses are shown`;
  }

  /** Why it can't be followed, where it has given no usable addresses yet. */
  get unusable(): string {
    return `The lab manager at ${this.#url} can't be used: ${this.#lost?.reason ?? 'no answer'}`;
  }

  /** Asks once, then every 5 s. Resolves after the first answer or failure. */
  async start(): Promise<void> {
    await this.#read();
    this.#schedule();
  }

  stop(): void {
    this.#stopped.abort();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #schedule(): void {
    if (this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(() => void this.#read().then(() => this.#schedule()), rereadMs);
  }

  async #read(): Promise<void> {
    const [context, settings, history] = await Promise.all([
      askJson(`${this.#url}context`, timeoutMs, this.#stopped.signal),
      askJson(`${this.#url}settings`, timeoutMs, this.#stopped.signal),
      // Only a lab manager of our own kind has one.
      askJson(`${this.#url}lab_health/history`, timeoutMs, this.#stopped.signal),
    ]);
    if (this.#stopped.signal.aborted) return;
    if (!context.ok) return this.#lose(`/context: ${context.reason}`);
    const parsed = parseForeignContext(context.body);
    if (!parsed.ok) return this.#lose(`/context: ${parsed.problems.join('; ')}`);
    const before = this.#fingerprint();
    this.#maintenance = history.ok ? readMaintenance(history.body) : [];
    // Its loopback addresses mean its own machine.
    this.#context = resolveContext(parsed.context, new URL(this.#url).hostname).context;
    if (settings.ok && isJsonObject(settings.body['settings'])) {
      const name = settings.body['settings']['manager_name'];
      this.#labName = typeof name === 'string' ? name.slice(0, maxName) : null;
    }
    if (this.#lost) this.#log.info(`${this.#url} answers again`);
    this.#lost = null;
    this.#compare(history.ok ? healthInHistory(history.body) : null);
    if (this.#fingerprint() !== before) this.#wiring.onChange();
  }

  /** A difference counts once two readings in a row have it. */
  #compare(ofHistory: ReportedHealth | null): void {
    if (ofHistory !== null) this.#health = ofHistory;
    else if (performance.now() >= this.#nextLabHealth) void this.#readLabHealth();
    if (this.#health === null) return;
    const { differing, ...counts } = compareHealth(this.#health, this.#wiring.measured());
    this.#reported = { ...counts, differing: differing.filter((manager) => this.#differedBefore.has(manager)) };
    this.#differedBefore = new Set(differing);
  }

  async #readLabHealth(): Promise<void> {
    this.#nextLabHealth = performance.now() + labHealthMs;
    const answer = await askJson(`${this.#url}lab_health`, labHealthTimeoutMs, this.#stopped.signal);
    this.#health = answer.ok ? healthInLabHealth(answer.body) : null;
    if (this.#health === null) this.#reported = null;
  }

  #fingerprint(): string {
    return JSON.stringify([this.#context, this.#labName, this.#lost, this.#maintenance, this.#reported]);
  }

  #lose(reason: string): void {
    if (this.#lost?.reason === reason) return;
    this.#log.warn(`The lab manager at ${this.#url} can't be used: ${reason}; its last addresses stay`);
    if (this.#lost === null) this.#lostAt = performance.now();
    this.#lost = { since: this.#lost?.since ?? Date.now(), reason };
    // What answers there next may be another machine.
    this.#confirmed = null;
    this.#reported = null;
    this.#wiring.onChange();
  }
}

/** As much of its history as is used here. */
const heard = z.object({ maintenance: z.array(maintenance).max(mostEntries).optional() });

function readMaintenance(body: JsonObject): readonly Maintenance[] {
  const read = heard.safeParse(body);
  const isTime = (text: string) => !Number.isNaN(Date.parse(text));
  return (read.success ? (read.data.maintenance ?? []) : [])
    .filter(({ from, until }) => isTime(from) && isTime(until))
    .map((each) => ({ ...each, name: cleanText(each.name).slice(0, maxName) }));
}
