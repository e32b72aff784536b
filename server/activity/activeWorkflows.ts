/**
 * Counts the active workflows by state, for the metrics. The workcell manager is polled only while the counts are
 * requested, because its response contains every active workflow with all its steps.
 */
import * as z from 'zod';
import { clock } from '../../api/time/clock.ts';
import { workflowStatus } from '../../api/managers/workflow.ts';
import { workflowState } from '../../api/managers/workflowState.ts';
import type { WorkflowState } from '../../api/states.ts';
import { isJsonObject, type JsonObject } from '../net/foreignJson.ts';
import type { requestJson } from '../net/requestJson.ts';
import { ManagerReader } from './managerReader.ts';

const pollIntervalMs = 15_000;
/** Polling stops after this time without a request for the counts, in ms; a monitoring server scrapes at least every minute. */
const idleTimeoutMs = 150_000;
/** Counts older than this are unknown, in ms. */
const staleMs = 45_000;
/** The size of 500 active workflows of 300 steps, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** The states of a workflow that has not ended. */
export const activeStates = ['queued', 'running', 'paused'] as const satisfies readonly WorkflowState[];
export type WorkflowCounts = Readonly<Record<(typeof activeStates)[number], number>>;

/** The fields that decide a workflow's state. */
const activeWorkflow = z.object({
  status: workflowStatus,
  steps: z.array(z.object({ status: z.string().nullish().catch(null) })).catch([]),
});

export interface ActiveWorkflowsOptions {
  /** Current address of the workcell manager, `null` if the lab has none. */
  readonly workcell: () => string | null;
  /** The check interval of a manager in ms, the minimum for every poll. */
  readonly intervalMs: () => number;
  readonly request?: typeof requestJson;
}

export class ActiveWorkflows {
  readonly #reader: ManagerReader;
  readonly #workcell: () => string | null;
  /** Time of the last request for the counts, by the steady clock. */
  #usedAt = Number.NEGATIVE_INFINITY;
  #latest: { readonly manager: string; readonly counts: WorkflowCounts; readonly at: number } | null = null;

  constructor({ workcell, intervalMs, request }: ActiveWorkflowsOptions) {
    this.#workcell = workcell;
    this.#reader = new ManagerReader({
      path: () => 'workflows/active',
      requestOptions: () => ({ maxBytes, reduce: countsByState }),
      intervalMs: pollIntervalMs,
      address: () => (clock.monotonic() - this.#usedAt < idleTimeoutMs ? workcell() : null),
      minIntervalMs: intervalMs,
      onResponse: (counts, manager) => {
        this.#latest = { manager, counts: counts as WorkflowCounts, at: clock.monotonic() };
        return true;
      },
      request,
    });
  }

  start(): void {
    this.#reader.startIn(0);
  }

  stop(): void {
    this.#reader.stop();
  }

  /** The counts as last read; `null` before the first response, and while the manager does not respond. */
  counts(now = clock.monotonic()): WorkflowCounts | null {
    this.#usedAt = now;
    const latest = this.#latest;
    if (latest === null || latest.manager !== this.#workcell() || now - latest.at > staleMs) return null;
    return latest.counts;
  }
}

/** Reduces `GET /workflows/active` to the number of workflows in each active state. Pure. */
function countsByState(body: JsonObject): JsonObject {
  const states = Object.values(body).flatMap((value) => {
    const parsed = activeWorkflow.safeParse(isJsonObject(value) ? value : null);
    return parsed.success ? [workflowState(parsed.data)] : [];
  });
  return Object.fromEntries(
    activeStates.map((state) => [state, states.filter((candidate) => candidate === state).length]),
  );
}
