/**
 * While this server is on standby, it reads the active one at `LAB_SERVER_URL`: the start of each state, so that both
 * servers assign the same ID to an incident, and whether all notifications were delivered.
 */
import { clock } from '../../api/time/clock.ts';
import type { LabStatus } from '../../api/lab/lab.ts';
import { LabManagerReader, readServedSettings } from '../attached/labManagerReader.ts';
import type { Log } from '../logging/log.ts';
import { readActiveServer } from '../standby/activeServer.ts';
import type { Subject } from './notification.ts';

/** How much later than this server the active one may report the same incident, in ms. */
export const reportDelayMs = 30_000;

/** When the states of the lab began at the other server. */
export class StateStartTimes {
  readonly #starts = new Map<string, Pick<Subject, 'isFailing' | 'since'>>();

  /** Remembers the start of a subject's state, by the clock of the other server. */
  remember({ key, isFailing, since }: Pick<Subject, 'key' | 'isFailing' | 'since'>): void {
    if (isFailing !== null) this.#starts.set(key, { isFailing, since });
  }

  /** The subject with the start of its state at the other server, if the other server observed the same state. */
  withSharedStart(subject: Subject): Subject {
    const remembered = this.#starts.get(subject.key);
    if (remembered === undefined || subject.isFailing === null) return subject;
    if (remembered.isFailing === subject.isFailing) return { ...subject, since: remembered.since ?? subject.since };
    // The state changed since, so the next start is this server's own.
    this.#starts.delete(subject.key);
    return subject;
  }
}

export interface ActiveServerReaderOptions {
  /** The address at which the active server responds. */
  readonly url: string;
  /** Called with each status. */
  readonly onStatus: (status: LabStatus) => void;
  /** Called with a time (ms of the steady clock) until which the active server has delivered all its notifications. */
  readonly onDelivered: (until: number) => void;
  readonly log: Log;
}

/** The active server, read over HTTP. @returns a reader that is not started yet */
export function createActiveServerReader({
  url,
  onStatus,
  onDelivered,
  log,
}: ActiveServerReaderOptions): LabManagerReader {
  return new LabManagerReader(url, log, {
    onLost: () => undefined,
    read: async (signal) => {
      const startedAt = clock.monotonic();
      const [active, settings] = await Promise.all([readActiveServer(url, signal), readServedSettings(url, signal)]);
      if ('reason' in active) return active;
      const isDelivered = settings?.deliveries?.every(({ waiting }) => waiting === 0) ?? false;
      return {
        apply: () => {
          onStatus(active.history);
          if (isDelivered) onDelivered(startedAt - reportDelayMs);
        },
      };
    },
  });
}
