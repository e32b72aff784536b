/** Decision 27: another lab manager's addresses, read again every 30 s, for a dashboard on this machine. */
import { labContext, type LabContext } from '../api/lab.ts';
import { askJson, isJsonObject } from './http/askJson.ts';
import type { Log } from './log.ts';

const rereadMs = 30_000;
const timeoutMs = 5000;

export class Follower {
  readonly #url: string;
  readonly #log: Log;
  readonly #onChange: () => void;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #context: LabContext | null = null;
  #labName: string | null = null;

  /** @param url base address of the other lab manager */
  constructor(url: string, log: Log, onChange: () => void) {
    this.#url = url.replace(/\/*$/, '/');
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Its addresses; `null` until it answered once. */
  get context(): LabContext | null {
    return this.#context;
  }

  get labName(): string | null {
    return this.#labName;
  }

  /** Asks once, then every 30 s. Resolves after the first answer or failure. */
  async start(): Promise<void> {
    await this.#read();
    if (this.#stopped.signal.aborted) return;
    this.#timer = setInterval(() => void this.#read(), rereadMs);
  }

  stop(): void {
    this.#stopped.abort();
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #read(): Promise<void> {
    const [context, settings] = await Promise.all([
      askJson(`${this.#url}context`, timeoutMs, this.#stopped.signal),
      askJson(`${this.#url}settings`, timeoutMs, this.#stopped.signal),
    ]);
    if (this.#stopped.signal.aborted) return;
    const parsed = context.ok ? labContext.safeParse(context.body) : null;
    if (!parsed?.success) {
      this.#log.warn(
        `${this.#url}context: ${context.ok ? 'not a lab context' : context.reason}; its last answer stays`,
      );
      return;
    }
    if (settings.ok && isJsonObject(settings.body['settings'])) {
      const name = settings.body['settings']['manager_name'];
      this.#labName = typeof name === 'string' ? name : null;
    }
    if (JSON.stringify(parsed.data) === JSON.stringify(this.#context)) return;
    this.#context = parsed.data;
    this.#onChange();
  }
}
