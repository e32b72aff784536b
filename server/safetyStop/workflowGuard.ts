/**
 * Pauses the workflows whose next step is on a node without any confirmation of the stop, so that no new action starts
 * there, and resumes exactly these after the release.
 */
import type { Client } from '../../api/client/client.ts';
import { ManagerError } from '../../api/client/managerError.ts';
import type { StoppedNode } from '../../api/commandRecord.ts';
import { errorText } from '../../api/errorText.ts';
import type { workcellApi } from '../../api/managers/workcell.ts';
import type { Workflows } from '../../api/managers/workflow.ts';
import type { PausedWorkflow } from '../../api/safetyStop/labStop.ts';
import { findWorkflowsToPause, resumeState } from '../../api/safetyStop/stoppedWorkflows.ts';
import { pause } from '../../api/time/pause.ts';
import type { StopStore } from './stopStore.ts';

type Workcell = Client<typeof workcellApi>;

/** Time until a node counts as unreached, and interval of the further checks, in ms. */
const guardDelayMs = 2000;
const guardIntervalMs = 2000;
/** The manager's scheduler removes a paused workflow from the queue within this time at the latest, in ms. */
const resumeIntervalMs = 1000;
/** The manager may execute a pause this long after its request has timed out, in ms. */
const latePauseMs = 30_000;
/** A step that runs longer is reported: its workflow stays paused. */
const maxResumeMs = 10 * 60_000;
const stepRunsText = 'its step still runs; resume it at its end';

/**
 * Runs until `signal` aborts: a workflow may be submitted, or reach the node, at any time of the stop. The store receives each
 * workflow before the request to pause it, because the manager may execute it after its timeout, and once it is confirmed.
 */
export async function guardWorkflows(workcell: Workcell | null, store: StopStore, signal: AbortSignal): Promise<void> {
  const setWorkflow = store.setWorkflow.bind(store);
  if (workcell === null || !(await pause(guardDelayMs, signal))) return;
  do {
    const nodes = listUnreached(store.sentStop?.nodes ?? []);
    const unconfirmed = (store.sentStop?.workflows ?? []).filter((workflow) => workflow.unconfirmed);
    if (nodes.size + unconfirmed.length === 0) continue;
    const active = await workcell.getActiveWorkflows({}, { signal }).catch((): Workflows => ({}));
    if (signal.aborted) return;
    for (const { unconfirmed: _unconfirmed, rejected: _rejected, ...workflow } of unconfirmed)
      if (active[workflow.id]?.status.paused === true) setWorkflow(workflow);
    const pauseOne = async (workflow: PausedWorkflow): Promise<void> => {
      setWorkflow({ ...workflow, unconfirmed: true });
      // A failure is repeated with the next check.
      try {
        const { status } = await workcell.pauseWorkflow({ workflow_id: workflow.id });
        if (status.paused) setWorkflow(workflow);
      } catch (error) {
        // A proxy answers with 502 to 504, also for a request that the manager executes later.
        if (error instanceof ManagerError && error.status !== null && error.status <= 500)
          setWorkflow({ ...workflow, unconfirmed: true, rejected: true });
      }
    };
    await Promise.all(findWorkflowsToPause(active, nodes).map(pauseOne));
  } while (await pause(guardIntervalMs, signal));
}

/**
 * Resumes a paused workflow as soon as that starts no step twice.
 * @param signal the stop was pressed again: the workflow stays paused
 * @returns the workflow as resumed, or with the failure
 */
export async function resumeWorkflow(
  workcell: Workcell,
  workflow: PausedWorkflow,
  signal: AbortSignal,
): Promise<PausedWorkflow> {
  const { failure: _failure, ...paused } = workflow;
  for (let waitedMs = 0; ; waitedMs += resumeIntervalMs) {
    try {
      const [active, queue] = await Promise.all([
        workcell.getActiveWorkflows({}, { signal }),
        workcell.getWorkflowQueue({}, { signal }),
      ]);
      const state = resumeState(paused, active[paused.id], new Set(queue.map(({ workflow_id: id }) => id)));
      if (state === 'ready') await workcell.resumeWorkflow({ workflow_id: paused.id });
      const isActive = active[paused.id]?.status.terminal === false;
      const isPending = paused.unconfirmed === true && paused.rejected !== true;
      const isPauseLate = state === 'done' && isActive && isPending && waitedMs < latePauseMs;
      if (state !== 'waiting' && !isPauseLate) return { ...paused, resumed: true };
    } catch (error) {
      if (signal.aborted) return paused;
      return { ...paused, failure: errorText(error) };
    }
    if (waitedMs >= maxResumeMs) return { ...paused, failure: stepRunsText };
    if (!(await pause(resumeIntervalMs, signal))) return paused;
  }
}

/** The names of the nodes that neither confirmed the stop nor executed other commands instead: actions can start there. */
function listUnreached(nodes: readonly StoppedNode[]): ReadonlySet<string> {
  const isReached = ({ did, result }: StoppedNode): boolean =>
    // After a cancel alone, the next action starts; `did` also contains the effects of earlier presses.
    (result === 'confirmed' || result === 'held') && !did.every((command) => command === 'cancel');
  return new Set(nodes.filter((node) => !isReached(node)).map(({ name }) => name));
}
