/** Another lab manager's addresses, read again and again, for a dashboard on this machine. */
import type { LabContext } from '../../api/lab/lab.ts';
import { parseForeignContext } from './foreignContext.ts';
import { askJson, isJsonObject } from '../http/outgoing/askJson.ts';
import type { Log } from '../logging/log.ts';
import type { Lost } from '../lifecycle/status.ts';

const rereadMs = 5000;
const timeoutMs = 5000;
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
  #lost: Lost | null = null;

  /**
   * @param url base address of the other lab manager
   * @param onChange called when its addresses, its name or whether it answers changed
   */
  constructor(url: string, log: Log, onChange: () => void) {
    this.#url = url.replace(/\/*$/, '/');
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

  /** Since when it gives no usable answer, and why; `null` while it does. */
  get lost(): Lost | null {
    return this.#lost;
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
    const [context, settings] = await Promise.all([
      askJson(`${this.#url}context`, timeoutMs, this.#stopped.signal),
      askJson(`${this.#url}settings`, timeoutMs, this.#stopped.signal),
    ]);
    if (this.#stopped.signal.aborted) return;
    if (!context.ok) return this.#lose(`${this.#url}context: ${context.reason}`);
    const parsed = parseForeignContext(context.body);
    if (!parsed.ok) return this.#lose(`${this.#url}context: ${parsed.problems.join('; ')}`);
    const before = JSON.stringify([this.#context, this.#labName, this.#lost]);
    this.#context = parsed.context;
    if (settings.ok && isJsonObject(settings.body['settings'])) {
      const name = settings.body['settings']['manager_name'];
      this.#labName = typeof name === 'string' ? name.slice(0, maxName) : null;
    }
    if (this.#lost) this.#log.info(`${this.#url} answers again`);
    this.#lost = null;
    if (JSON.stringify([this.#context, this.#labName, this.#lost]) !== before) this.#onChange();
  }

  #lose(reason: string): void {
    if (this.#lost?.reason === reason) return;
    this.#log.warn(`${reason}; its last addresses stay`);
    this.#lost = { since: this.#lost?.since ?? Date.now(), reason };
    this.#onChange();
  }
}
