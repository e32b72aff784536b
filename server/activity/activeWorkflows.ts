/**
 * Counts the active workflows by state, for the metrics, and lists the running steps. The workcell manager is polled once a
 * minute, and more often while the counts are requested, because its response contains every active workflow with all its steps.
 */
import * as z from 'zod';
import { clock } from '../../api/time/clock.ts';
import type { BlockedWorkflow } from '../../api/lab/lab.ts';
import { workflowStatus } from '../../api/managers/workflow.ts';
import { countWaiting, listBlockedWorkflows } from '../../api/managers/waitingWorkflows.ts';
import { workflowState } from '../../api/managers/workflowState.ts';
import { listRunningSteps } from '../../api/managers/workflowStep.ts';
import type { WorkflowState } from '../../api/states.ts';
import { hostTime } from '../../api/time/time.ts';
import type { WorkflowCounts } from '../lab/activity.ts';
import type { LabModel } from '../lab/labModel.ts';
import { cleanText } from '../logging/text.ts';
import { isJsonObject, type JsonObject } from '../net/foreignJson.ts';
import type { requestJson } from '../net/requestJson.ts';
import { ManagerReader } from './managerReader.ts';

const pollIntervalMs = 15_000;
/** The polling interval while the counts are not requested, in ms. */
const idleIntervalMs = 60_000;
/** Frequent polling stops after this time without a request for the counts, in ms; a monitoring server scrapes at least every minute. */
const idleTimeoutMs = 150_000;
/** The size of 500 active workflows of 300 steps, in bytes. */
const maxBytes = 64 * 1024 * 1024;

const optionalText = z.string().nullish().catch(null);
/** The fields of a step of which its name, action and start are read. */
const stepSubset = z.object({
  name: optionalText,
  key: optionalText,
  action: optionalText,
  node: optionalText,
  status: optionalText,
  start_time: optionalText,
});
/** The fields that decide a workflow's state and its running step. */
const activeWorkflow = z.object({
  workflow_id: z.string().catch(''),
  name: z.string().catch(''),
  status: workflowStatus,
  steps: z.array(stepSubset).catch([]),
  scheduler_metadata: z
    .object({ reasons: z.array(z.string()).nullish() })
    .nullish()
    .catch(null),
});

export class ActiveWorkflows {
  readonly #lab: LabModel;
  readonly #reader: ManagerReader;
  /** Time of the last request for the counts, by the steady clock. */
  #usedAt = Number.NEGATIVE_INFINITY;
  #startedAt = 0;

  constructor(lab: LabModel, request?: typeof requestJson) {
    this.#lab = lab;
    this.#reader = new ManagerReader({
      path: () => 'workflows/active',
      requestOptions: () => ({ maxBytes, reduce: summarize }),
      intervalMs: pollIntervalMs,
      address: () => (this.#isDue(clock.monotonic()) ? lab.address('workcell') : null),
      minIntervalMs: () => lab.intervalMs,
      onResponse: (body, workcell) => {
        const { counts, workflows, waiting, blocked } = body as unknown as ActiveSummary;
        const host = lab.hostClock('workcell');
        const running = host === null ? null : listRunningSteps(workflows, (stamp) => hostTime(stamp, host));
        lab.workflows.value = { workcell, counts, waiting, blocked, running, at: clock.monotonic() };
        return true;
      },
      request,
    });
  }

  /** The first reading without a request for the counts follows later, so that the managers' health is checked first. */
  start(): void {
    this.#startedAt = clock.monotonic();
    this.#reader.startIn(0);
  }

  stop(): void {
    this.#reader.stop();
  }

  #isDue(now: number): boolean {
    const isUsed = now - this.#usedAt < idleTimeoutMs;
    return isUsed || now - (this.#lab.workcell.workflows?.at ?? this.#startedAt) >= idleIntervalMs;
  }

  /** The counts as last read, which are read more often from now on; `null` while they are unknown. */
  counts(): WorkflowCounts | null {
    this.#usedAt = clock.monotonic();
    return this.#lab.workflowCounts();
  }
}

interface ActiveSummary {
  readonly counts: WorkflowCounts;
  /** By the node of the next step. */
  readonly waiting: ReadonlyMap<string, number>;
  readonly blocked: readonly BlockedWorkflow[];
  readonly workflows: readonly z.infer<typeof activeWorkflow>[];
}

/** Reduces `GET /workflows/active` to the number of workflows in each active state, and the running ones. Pure. */
function summarize(body: JsonObject): JsonObject {
  const workflows = Object.values(body).flatMap((value) => {
    const parsed = activeWorkflow.safeParse(isJsonObject(value) ? value : null);
    return parsed.success ? [parsed.data] : [];
  });
  const states = workflows.map(workflowState);
  const count = (state: WorkflowState) => states.filter((candidate) => candidate === state).length;
  const summary: ActiveSummary = {
    waiting: countWaiting(workflows),
    blocked: listBlockedWorkflows(workflows).map(cleanBlocked),
    counts: { queued: count('queued'), running: count('running'), paused: count('paused') },
    workflows: workflows.filter(({ status }) => status.running),
  };
  return { ...summary };
}

function cleanBlocked({ id, name, reason }: BlockedWorkflow): BlockedWorkflow {
  return { id: cleanText(id), name: cleanText(name), reason: cleanText(reason) };
}
