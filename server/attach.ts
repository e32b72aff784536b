/** Decision 27: another copy of this service runs on this machine; its state is read instead of watching twice. */
import { labHistory, type LabStatus } from '../api/lab.ts';
import { askJson, servesPage } from './http/askJson.ts';
import type { Log } from './log.ts';

/** What is known of the service besides the lab's state. */
export interface AttachedService {
  readonly version: string;
  /** Whether it serves a dashboard. */
  readonly hasDashboard: boolean;
}

const rereadMs = 5000;
const timeoutMs = 4000;

export class Attachment {
  readonly #url: string;
  readonly #log: Log;
  readonly #onLab: (lab: LabStatus, service: AttachedService) => void;
  readonly #onLost: (reason: string) => void;
  #stopped = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #failures = 0;

  /**
   * @param url base address of the running service
   * @param onLost called once it failed to answer twice in a row
   */
  constructor(
    url: string,
    options: {
      readonly log: Log;
      readonly onLab: (lab: LabStatus, service: AttachedService) => void;
      readonly onLost: (reason: string) => void;
    },
  ) {
    this.#url = url;
    this.#log = options.log;
    this.#onLab = options.onLab;
    this.#onLost = options.onLost;
  }

  start(): void {
    this.checkNow();
  }

  stop(): void {
    this.#stopped.abort();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  checkNow(): void {
    if (this.#timer) clearTimeout(this.#timer);
    void this.#read();
  }

  async #read(): Promise<void> {
    const { signal } = this.#stopped;
    const [answer, hasDashboard] = await Promise.all([
      askJson(`${this.#url}lab_health/history`, timeoutMs, signal),
      servesPage(this.#url, timeoutMs, signal),
    ]);
    if (signal.aborted) return;
    const parsed = answer.ok ? labHistory.safeParse(answer.body) : null;
    if (parsed?.success) {
      this.#failures = 0;
      this.#onLab(parsed.data, { version: parsed.data.service.version, hasDashboard });
    } else {
      this.#failures += 1;
      const reason = answer.ok ? 'its answer is not a lab history' : answer.reason;
      this.#log.warn(`The service at ${this.#url} did not answer: ${reason}`);
      if (this.#failures >= 2) return this.#onLost(reason);
    }
    // Another reading may have been under way: one timer goes on, not one for each.
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#read(), this.#failures > 0 ? 1000 : rereadMs);
  }
}
