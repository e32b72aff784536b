/**
 * While this server is on standby, it reads the active one at `LAB_SERVER_URL`: the start of each state, so that both
 * servers assign the same ID to an incident, and whether all notifications were delivered.
 */
import { clock } from '../../api/time/clock.ts';
import { LabManagerReader, readServedSettings } from '../attached/labManagerReader.ts';
import type { LabModel } from '../lab/labModel.ts';
import type { Log } from '../logging/log.ts';
import { readActiveServer } from '../standby/activeServer.ts';
import type { WaitingMessages } from './deliveryQueue.ts';
import type { Subject } from './notification.ts';
import { listSubjects } from './subjects.ts';

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

interface ActiveServerReaderOptions {
  readonly lab: LabModel;
  /** Receives the start of each state. */
  readonly starts: StateStartTimes;
  /** Discards the messages that the active server has delivered. */
  readonly queue: Pick<WaitingMessages, 'discardBefore'>;
  readonly log: Log;
}

/** The active server, read over HTTP. @returns a reader that is not started yet */
export function createActiveServerReader({ lab, starts, queue, log }: ActiveServerReaderOptions): LabManagerReader {
  const url = lab.settings.value.serverUrl;
  return new LabManagerReader(url, log, {
    read: async (signal) => {
      const startedAt = clock.monotonic();
      const [active, settings] = await Promise.all([readActiveServer(url, signal), readServedSettings(url, signal)]);
      if ('reason' in active) return active;
      const isDelivered = settings?.deliveries?.every(({ waiting }) => waiting === 0) ?? false;
      return {
        apply: () => {
          const { history } = active;
          const { isRecent } = lab.nodeSnapshot();
          for (const subject of listSubjects(history, history.activity?.nodes?.in_need ?? [], isRecent))
            starts.remember(subject);
          if (isDelivered) queue.discardBefore(startedAt - reportDelayMs);
        },
      };
    },
  });
}
