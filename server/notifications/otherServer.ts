/**
 * While this server is on standby, it reads the active one at `LAB_SERVER_URL`: the start of each state, so that both
 * servers identify an incident alike, and whether all notifications were delivered.
 */
import { labHistory, type LabStatus } from '../../api/lab/lab.ts';
import { LabManagerReader, servedSettings } from '../attached/labManagerReader.ts';
import type { Log } from '../logging/log.ts';
import { requestJson } from '../net/requestJson.ts';
import type { Subject } from './notification.ts';
import { subjectsOf } from './subjects.ts';

/** How much later than this server the active one may report the same incident, in ms. */
export const reportLagMs = 30_000;

type KnownStart = Pick<Subject, 'isFailing' | 'since'>;

export class OtherServer {
  readonly #reader: LabManagerReader;
  readonly #starts = new Map<string, KnownStart>();

  /**
   * @param url the address at which the active server responds
   * @param onDelivered called with a time (ms of the steady clock) until which it has delivered all its notifications
   */
  constructor(url: string, onDelivered: (until: number) => void, log: Log) {
    this.#reader = new LabManagerReader(url, log, {
      onLost: () => undefined,
      read: async (signal, timeoutMs) => {
        const startedAt = performance.now();
        const [answer, settings] = await Promise.all([
          requestJson(`${url}lab_health/history?hours=1`, timeoutMs, signal),
          servedSettings(url, signal),
        ]);
        if (!answer.ok) return { reason: answer.reason };
        const read = labHistory.safeParse(answer.body);
        if (!read.success) return { reason: 'its answer is not a lab history' };
        if (read.data.standby !== undefined) return { reason: 'it is on standby' };
        const isDelivered = settings?.deliveries?.every(({ waiting }) => waiting === 0) ?? false;
        return {
          readState: () => {
            this.noteStatus(read.data);
            if (isDelivered) onDelivered(startedAt - reportLagMs);
          },
        };
      },
    });
  }

  start(): void {
    void this.#reader.start();
  }

  stop(): void {
    this.#reader.stop();
  }

  /** Remembers since when each subject is in its state, by the clock of the active server. */
  noteStatus(status: LabStatus): void {
    const inNeed = status.activity?.nodes?.in_need ?? [];
    for (const { key, isFailing, since } of subjectsOf(status, inNeed, true))
      if (isFailing !== null) this.#starts.set(key, { isFailing, since });
  }

  /** The subject with the start of its state at the other server, if that observed the same state. */
  align(subject: Subject): Subject {
    const known = this.#starts.get(subject.key);
    if (known === undefined || subject.isFailing === null) return subject;
    if (known.isFailing === subject.isFailing) return { ...subject, since: known.since ?? subject.since };
    // The state changed since, so the next start is this server's own.
    this.#starts.delete(subject.key);
    return subject;
  }
}
