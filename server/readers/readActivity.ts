/** Reads nodes and ended workflows from the workcell manager's responses. */
import { isObject } from '../../api/client/wire.ts';
import * as z from 'zod';
import type { EndedWorkflow, NodeActivity } from '../../api/lab/lab.ts';
import { otherNodeFlags, nodeState } from '../../api/managers/nodeState.ts';
import { nodeStatus } from '../../api/managers/node.ts';
import { workflowStatus } from '../../api/managers/workflow.ts';
import { workflowState } from '../../api/managers/workflowState.ts';
import { findLongestRuns } from '../../api/managers/workflowStep.ts';
import type { NodeState } from '../../api/states.ts';
import { parseManagerTime, type HostZone, type StampedRecord } from '../../api/time/time.ts';
import type { WorkflowEnd } from '../lab/activity.ts';
import { cleanText } from '../logging/text.ts';
import type { JsonObject } from '../net/foreignJson.ts';

/** A lab has a few dozen; a longer list is invalid. */
const maxNodes = 1000;
const maxReasonLength = 300;
const maxNameLength = 200;
const maxTimeLength = 50;

/** The used fields of a node. */
const nodeSubset = z.object({ status: z.nullish(nodeStatus) });
const stepSubset = z.object({
  name: z.string().nullish(),
  action: z.string().nullish(),
  node: z.string().nullish().catch(null),
  duration: z.string().nullish().catch(null),
  status: z.string().nullish().catch(null),
  start_time: z.string().nullish().catch(null),
  end_time: z.string().nullish().catch(null),
  result: z
    .object({ errors: z.array(z.object({ message: z.string().nullish() })).nullish() })
    .nullish()
    .catch(null),
});
/** The used fields of an archived workflow. */
const workflowSubset = z.object({
  workflow_id: z.string(),
  name: z.string(),
  submitted_time: z.string().nullish().catch(null),
  end_time: z.string().nullish().catch(null),
  status: workflowStatus,
  steps: z.array(stepSubset).catch([]),
});

function shorten(text: string | null | undefined): string | null {
  const clean = cleanText(text ?? '').trim();
  return clean === '' ? null : clean.slice(0, maxReasonLength);
}

/** Since when a node is in a state, ISO 8601 UTC; `null` if unknown. */
export type StateStart = (name: string, state: NodeState) => string | null;

/**
 * The nodes of `GET /nodes`, by name. A node with an unchanged state keeps its `since`.
 * @param now ISO 8601 UTC
 * @param stateSinceBeforeRestart since when a node was in its state before the service was restarted
 * @returns `null` if the response is not a list of nodes
 */
export function readNodes(
  body: JsonObject,
  before: ReadonlyMap<string, NodeActivity>,
  now: string,
  stateSinceBeforeRestart: StateStart = () => null,
): ReadonlyMap<string, NodeActivity> | null {
  const entries = Object.entries(body);
  if (entries.length > maxNodes) return null;
  const nodes = new Map<string, NodeActivity>();
  for (const [name, value] of entries) {
    if (value !== null && !isObject(value)) continue;
    // An invalid record makes only its own state unknown.
    const parsed = nodeSubset.safeParse(value);
    const status = parsed.success ? (parsed.data.status ?? null) : null;
    const state = nodeState({ status });
    const previous = before.get(name);
    const isFailing = state === 'errored' || state === 'disconnected';
    const reason = isFailing ? shorten(status?.errors?.at(-1)?.message) : null;
    const flags = otherNodeFlags({ status });
    const since =
      previous === undefined
        ? (stateSinceBeforeRestart(name, state) ?? now)
        : previous.state === state
          ? previous.since
          : now;
    nodes.set(name, {
      name: cleanText(name, maxNameLength),
      state,
      ...(flags.length > 0 && { flags: [...flags] }),
      reason,
      since,
    });
  }
  // An error body with status 200 has entries, but no nodes.
  return nodes.size === 0 && entries.length > 0 ? null : nodes;
}

type ArchivedWorkflow = z.infer<typeof workflowSubset>;

/** The readable workflows of `GET /workflows/archived`, in the manager's order. */
export function readArchived(body: JsonObject): readonly ArchivedWorkflow[] {
  return Object.values(body).flatMap((value) => workflowSubset.safeParse(value).data ?? []);
}

/** The ID and the submission time of a workflow, which the manager creates together. */
export function toSubmission(workflow: Pick<ArchivedWorkflow, 'workflow_id' | 'submitted_time'>): StampedRecord {
  return { id: workflow.workflow_id, stamp: workflow.submitted_time };
}

/**
 * The archived workflows that have ended.
 * @param now ISO 8601 UTC
 * @param zone of the manager's host
 */
export function readEnded(
  archived: readonly ArchivedWorkflow[],
  now: string,
  zone: HostZone | null,
): readonly WorkflowEnd[] {
  return archived.flatMap((archivedWorkflow): WorkflowEnd[] => {
    const { workflow_id: id, name, end_time: end, status, steps } = archivedWorkflow;
    const state = workflowState(archivedWorkflow);
    if (state !== 'completed' && state !== 'failed' && state !== 'cancelled') return [];
    const step = state === 'failed' ? steps[status.current_step_index] : undefined;
    const workflow: EndedWorkflow = {
      id,
      name: cleanText(name, maxNameLength),
      state,
      step: shorten(step?.name ?? step?.action),
      reason: shorten(step?.result?.errors?.at(-1)?.message),
      at: now,
      ...(end ? { end: cleanText(end).slice(0, maxTimeLength) } : {}),
    };
    const endedAt = zone === null ? null : (parseManagerTime(end, zone)?.getTime() ?? null);
    const stepSeconds = steps.flatMap(stepDuration);
    return [{ key: `${id} ${state} ${end ?? ''}`, endedAt, stepSeconds, workflow }];
  });
}

/** The longest successful runs in the archive, for `listOverdueSteps`. */
export function readLongestRuns(archived: readonly ArchivedWorkflow[]): ReadonlyMap<string, number> {
  // Both times are of the same clock, so its time zone is irrelevant.
  return findLongestRuns(archived, (stamp) => parseManagerTime(stamp, 'UTC')?.getTime() ?? null);
}

/** The duration of a step that ran. Both times are of the same clock, so its time zone is irrelevant. */
function stepDuration({ start_time: start, end_time: end }: z.infer<typeof stepSubset>): readonly number[] {
  const from = parseManagerTime(start, 'UTC');
  const to = parseManagerTime(end, 'UTC');
  return from === null || to === null || to < from ? [] : [(to.getTime() - from.getTime()) / 1000];
}
