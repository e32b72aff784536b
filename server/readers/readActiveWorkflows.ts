/** Reads the active workflows from the response of the workcell manager. */
import { isObject } from '../../api/client/wire.ts';
import * as z from 'zod';
import type { BlockedWorkflow } from '../../api/lab/lab.ts';
import { workflowStatus } from '../../api/managers/workflow.ts';
import { countWaiting, listBlockedWorkflows } from '../../api/managers/waitingWorkflows.ts';
import { workflowState } from '../../api/managers/workflowState.ts';
import type { StampedRecord } from '../../api/time/time.ts';
import { activeStates, type ActiveWorkflow, type WorkflowCounts } from '../lab/activity.ts';
import { cleanText } from '../logging/text.ts';
import { toSubmission } from './readActivity.ts';
import type { JsonObject } from '../net/foreignJson.ts';

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
  submitted_time: optionalText,
  name: z.string().catch(''),
  status: workflowStatus,
  steps: z.array(stepSubset).catch([]),
  scheduler_metadata: z
    .object({ reasons: z.array(z.string()).nullish() })
    .nullish()
    .catch(null),
});

export interface ActiveSummary {
  /** In the manager's order. */
  readonly active: readonly ActiveWorkflow[];
  readonly counts: WorkflowCounts;
  /** By the node of the next step. */
  readonly waiting: ReadonlyMap<string, number>;
  readonly blocked: readonly BlockedWorkflow[];
  readonly workflows: readonly z.infer<typeof activeWorkflow>[];
  readonly submissions: readonly StampedRecord[];
}

/** Reduces `GET /workflows/active` to the number of workflows in each active state, and the running ones. */
export function summarizeActive(body: JsonObject): JsonObject {
  const workflows = Object.values(body).flatMap((value) => {
    const parsed = activeWorkflow.safeParse(isObject(value) ? value : null);
    return parsed.success ? [parsed.data] : [];
  });
  const active = workflows.flatMap((workflow): ActiveWorkflow[] => {
    const state = activeStates.find((candidate) => candidate === workflowState(workflow));
    return state === undefined ? [] : [{ id: cleanText(workflow.workflow_id), name: cleanText(workflow.name), state }];
  });
  const count = (state: ActiveWorkflow['state']) => active.filter((workflow) => workflow.state === state).length;
  const summary: ActiveSummary = {
    active,
    waiting: countWaiting(workflows),
    blocked: listBlockedWorkflows(workflows).map(cleanBlocked),
    counts: { queued: count('queued'), running: count('running'), paused: count('paused') },
    workflows: workflows.filter(({ status }) => status.running),
    submissions: workflows.map(toSubmission),
  };
  return { ...summary };
}

function cleanBlocked({ id, name, reason }: BlockedWorkflow): BlockedWorkflow {
  return { id: cleanText(id), name: cleanText(name), reason: cleanText(reason) };
}
