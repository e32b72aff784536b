/**
 * Reads the state of another lab manager service on this machine instead of watching the lab twice. If it stops
 * responding, the reader retries without limit: the system restarts a system service.
 */
import { signal, type ReadonlySignal } from '@preact/signals-core';
import { labHistory, type LabHistory, type LabStatus } from '../../api/lab/lab.ts';
import type { Log } from '../logging/log.ts';
import { requestJson, servesPage } from '../net/requestJson.ts';
import { LabManagerReader } from './labManagerReader.ts';

/** A response of the service: the lab's state, and the service's metadata. */
export interface AttachedLab {
  readonly lab: LabStatus;
  readonly version: string;
  /** Whether it serves a dashboard. */
  readonly hasDashboard: boolean;
  /** `null` from an older service. */
  readonly owner: LabHistory['owner'] | null;
}

/** Retry interval while it does not respond, in ms: short, to notice a restarted service soon. */
const retryMs = 1000;

export class AttachedReader extends LabManagerReader {
  readonly #lab = signal<AttachedLab | null>(null);

  /** @param url base address of the running service */
  constructor(url: string, log: Log) {
    super(url, log, {
      retryMs: [retryMs],
      read: async (stopping, timeoutMs) => {
        const [response, hasDashboard] = await Promise.all([
          requestJson(`${url}lab_health/history`, timeoutMs, stopping),
          servesPage(url, timeoutMs, stopping),
        ]);
        if (!response.ok) return { reason: response.reason };
        const { success, data } = labHistory.safeParse(response.body);
        if (!success) return { reason: 'its answer is not a lab history' };
        const { version } = data.service;
        return {
          apply: () => (this.#lab.value = { lab: data, version, hasDashboard, owner: data.owner ?? null }),
        };
      },
    });
  }

  /** The last usable response; `null` before the first one. */
  get lab(): ReadonlySignal<AttachedLab | null> {
    return this.#lab;
  }
}
