/**
 * Another copy of this service runs on this machine; its state is read instead of watching the lab twice. When it stops
 * answering it is waited for, as long as it takes: a system service is started again by the system.
 */
import { labHistory, type LabStatus } from '../../api/lab/lab.ts';
import type { Log } from '../logging/log.ts';
import { requestJson, servesPage } from '../net/askJson.ts';
import { LabManagerReader, type Lost } from './labManagerReader.ts';

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

/** Between two readings while it does not answer: soon enough that nobody waits for a restarted service. */
const retryMs = 1000;

/** @param url base address of the running service */
export function attachedReader(url: string, log: Log, events: AttachmentEvents): LabManagerReader {
  return new LabManagerReader(url, log, {
    retryMs,
    onLost: (lost) => events.onLost(lost),
    read: async (signal, timeoutMs) => {
      const [answer, hasDashboard] = await Promise.all([
        requestJson(`${url}lab_health/history`, timeoutMs, signal),
        servesPage(url, timeoutMs, signal),
      ]);
      if (!answer.ok) return { reason: answer.reason };
      const { success, data } = labHistory.safeParse(answer.body);
      if (!success) return { reason: 'its answer is not a lab history' };
      return { take: () => events.onLab(data, { version: data.service.version, hasDashboard }) };
    },
  });
}
