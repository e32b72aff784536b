/**
 * Reads the state of another lab manager service on this machine instead of watching the lab twice. If it stops
 * responding, the reader retries without limit: the system restarts a system service.
 */
import { labHistory, type LabStatus } from '../../api/lab/lab.ts';
import type { Log } from '../logging/log.ts';
import { requestJson, servesPage } from '../net/requestJson.ts';
import { LabManagerReader, type LostConnection } from './labManagerReader.ts';

/** The service's metadata besides the lab's state. */
export interface AttachedService {
  readonly version: string;
  /** Whether it serves a dashboard. */
  readonly hasDashboard: boolean;
}

export interface AttachmentEvents {
  /** Called after each response. */
  onLab(lab: LabStatus, service: AttachedService): void;
  /** Called when it does not respond since `lost.since`, and when the reason changes. */
  onLost(lost: LostConnection): void;
}

/** Retry interval while it does not respond, short enough to notice a restarted service soon. */
const retryMs = 1000;

/** @param url base address of the running service */
export function attachedReader(url: string, log: Log, events: AttachmentEvents): LabManagerReader {
  return new LabManagerReader(url, log, {
    retryMs: () => retryMs,
    onLost: (lost) => events.onLost(lost),
    read: async (signal, timeoutMs) => {
      const [answer, hasDashboard] = await Promise.all([
        requestJson(`${url}lab_health/history`, timeoutMs, signal),
        servesPage(url, timeoutMs, signal),
      ]);
      if (!answer.ok) return { reason: answer.reason };
      const { success, data } = labHistory.safeParse(answer.body);
      if (!success) return { reason: 'its answer is not a lab history' };
      return { readState: () => events.onLab(data, { version: data.service.version, hasDashboard }) };
    },
  });
}
