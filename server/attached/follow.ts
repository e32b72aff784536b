/** Another lab manager's addresses, read again and again, for a dashboard on this machine. */
import * as z from 'zod';
import { maintenance, type LabContext, type Maintenance } from '../../api/lab/lab.ts';
import { parseForeignContext } from './foreignContext.ts';
import { askJson, isJsonObject, type JsonObject } from '../http/outgoing/askJson.ts';
import { baseUrl } from '../http/outgoing/baseUrl.ts';
import type { Log } from '../logging/log.ts';
import { cleanText } from '../logging/text.ts';
import { mostEntries } from '../maintenance/entries.ts';
import type { Lost } from '../lifecycle/status.ts';

const rereadMs = 5000;
const timeoutMs = 5000;
/** One that is silent for this long leaves the lab's state unknown, in milliseconds. */
const doubtMs = 15_000;
/** Longest name taken from another lab manager, in characters. */
const maxName = 100;

export class Follower {
  readonly #url: string;
  readonly #log: Log;
  readonly #onChange: () => void;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #context: LabContext | null = null;
  #labName: string | null = null;
  #maintenance: readonly Maintenance[] = [];
  #lost: Lost | null = null;
  /** When it was lost, by the steady clock. */
  #lostAt = 0;

  /**
   * @param url base address of the other lab manager
   * @param onChange called when its addresses, its name or whether it answers changed
   */
  constructor(url: string, log: Log, onChange: () => void) {
    this.#url = baseUrl(url);
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Its addresses, the last known ones while it is lost; `null` until it gave usable ones. */
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
    if (!context.ok) return this.#lose(`${this.#url}context: ${context.reason}`);
    const parsed = parseForeignContext(context.body);
    if (!parsed.ok) return this.#lose(`${this.#url}context: ${parsed.problems.join('; ')}`);
    const before = this.#fingerprint();
    this.#maintenance = history.ok ? readMaintenance(history.body) : [];
    this.#context = parsed.context;
    if (settings.ok && isJsonObject(settings.body['settings'])) {
      const name = settings.body['settings']['manager_name'];
      this.#labName = typeof name === 'string' ? name.slice(0, maxName) : null;
    }
    if (this.#lost) this.#log.info(`${this.#url} answers again`);
    this.#lost = null;
    if (this.#fingerprint() !== before) this.#onChange();
  }

  #fingerprint(): string {
    return JSON.stringify([this.#context, this.#labName, this.#lost, this.#maintenance]);
  }

  #lose(reason: string): void {
    if (this.#lost?.reason === reason) return;
    this.#log.warn(`${reason}; its last addresses stay`);
    if (this.#lost === null) this.#lostAt = performance.now();
    this.#lost = { since: this.#lost?.since ?? Date.now(), reason };
    this.#onChange();
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
