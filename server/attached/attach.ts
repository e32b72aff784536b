/**
 * Another copy of this service runs on this machine; its state is read instead of watching the lab twice. When it stops
 * answering it is waited for, as long as it takes: a system service is started again by the system.
 */
import { labHistory, type LabStatus } from '../../api/lab/lab.ts';
import { askJson, servesPage } from '../net/askJson.ts';
import type { Log } from '../logging/log.ts';
import type { Lost } from './follow.ts';

/** What is known of the service besides the lab's state. */
export interface AttachedService {
  readonly version: string;
  /** Whether it serves a dashboard. */
  readonly hasDashboard: boolean;
}

export interface AttachmentEvents {
  /** It answered. */
  onLab(lab: LabStatus, service: AttachedService): void;
  /** It has not answered since `lost.since`; called again when the reason changes. */
  onLost(lost: Lost): void;
}

const rereadMs = 5000;
const timeoutMs = 4000;
/** Between two readings while it does not answer: soon enough that nobody waits for a restarted service. */
const retryMs = 1000;

export class Attachment {
  readonly #url: string;
  readonly #log: Log;
  readonly #events: AttachmentEvents;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #lost: Lost | null = null;

  /** @param url base address of the running service */
  constructor(url: string, log: Log, events: AttachmentEvents) {
    this.#url = url;
    this.#log = log;
    this.#events = events;
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
      if (this.#lost) this.#log.info(`The service at ${this.#url} answers again`);
      this.#lost = null;
      this.#events.onLab(parsed.data, { version: parsed.data.service.version, hasDashboard });
    } else this.#lose(answer.ok ? 'its answer is not a lab history' : answer.reason);
    // Another reading may have been under way: one timer goes on, not one for each.
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#read(), this.#lost ? retryMs : rereadMs);
  }

  #lose(reason: string): void {
    if (this.#lost?.reason === reason) return;
    this.#log.warn(`The service at ${this.#url} does not answer: ${reason}`);
    this.#lost = { since: this.#lost?.since ?? Date.now(), reason };
    this.#events.onLost(this.#lost);
  }
}
