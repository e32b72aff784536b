/**
 * Reads the state of another lab manager service on this machine instead of watching the lab twice. If it stops
 * responding, the reader retries without limit: the system restarts a system service.
 */
import { labHistory, type LabHistory, type LabStatus } from '../../api/lab/lab.ts';
import type { Log } from '../logging/log.ts';
import { requestJson, servesPage } from '../net/requestJson.ts';
import { LabManagerReader, type LostConnection } from './labManagerReader.ts';

/** The service's metadata besides the lab's state. */
export interface AttachedService {
  readonly version: string;
  /** Whether it serves a dashboard. */
  readonly hasDashboard: boolean;
  /** `null` from an older service. */
  readonly owner: LabHistory['owner'] | null;
}

export interface AttachmentEvents {
  /** Called after each response. */
  onLab(lab: LabStatus, service: AttachedService): void;
  /** Called when it stops responding, and when the reason changes. */
  onLost(lost: LostConnection): void;
}

/** Retry interval while it does not respond, in ms: short, to notice a restarted service soon. */
const retryMs = 1000;

/** Creates a reader, not started yet. @param url base address of the running service */
export function attachedReader(url: string, log: Log, events: AttachmentEvents): LabManagerReader {
  return new LabManagerReader(url, log, {
    retryMs: () => retryMs,
    onLost: (lost) => events.onLost(lost),
    read: async (signal, timeoutMs) => {
      const [response, hasDashboard] = await Promise.all([
        requestJson(`${url}lab_health/history`, timeoutMs, signal),
        servesPage(url, timeoutMs, signal),
      ]);
      if (!response.ok) return { reason: response.reason };
      const { success, data } = labHistory.safeParse(response.body);
      if (!success) return { reason: 'its answer is not a lab history' };
      return {
        apply: () => events.onLab(data, { version: data.service.version, hasDashboard, owner: data.owner ?? null }),
      };
    },
  });
}
