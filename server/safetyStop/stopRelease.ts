/** Releases a safety stop: the nodes first, then the workflows that it paused. */
import { safetyStopTexts as texts } from '../../api/safetyStop/safetyStopTexts.ts';
import { releaseNode } from '../../api/safetyStop/releaseNode.ts';
import { releaseRecord } from '../../api/safetyStop/stopRecord.ts';
import { clock } from '../../api/time/clock.ts';
import type { StopExecution } from './stopExecution.ts';
import type { StopSender, StopStore } from './stopStore.ts';
import { resumeWorkflow } from './workflowGuard.ts';

/**
 * Resolves when each node and each workflow has responded, or the timeouts are over.
 * @param execution of the stop, which must be aborted
 * @param signal the stop was pressed again: then nothing more is released
 * @param guarding ends when the pending requests to pause workflows have a response
 */
export async function releaseStop(
  store: StopStore,
  execution: StopExecution,
  sender: StopSender,
  { signal, guarding }: { readonly signal: AbortSignal; readonly guarding: Promise<unknown> },
): Promise<void> {
  const beganAt = clock.now();
  const released = store.sentStop;
  const names = new Set([...(store.sentStop?.nodes ?? []), ...store.releases].map(({ name }) => name));
  const results = await Promise.all([...names].map((name) => releaseOne(store, execution, name, signal)));
  // Otherwise a workflow that is being paused would stay paused.
  await guarding;
  const areResumed = signal.aborted || (await resumeWorkflows(store, execution, signal));
  // A further press has begun another stop.
  const stop = signal.aborted ? released : store.sentStop;
  if (stop === null) return;
  const isComplete = !signal.aborted && areResumed && !results.includes(false);
  const failure = signal.aborted ? texts.releaseSuperseded : texts.releaseIncomplete;
  // The event log must contain the last result before the release.
  if (!signal.aborted) store.recordResult();
  if (stop.id !== null)
    store.options.record(releaseRecord(stop, beganAt, clock.now(), isComplete ? null : failure), sender);
  if (isComplete) store.end();
  else if (!signal.aborted) store.patch({ released: true });
}

/** @returns whether the node executed all commands */
async function releaseOne(
  store: StopStore,
  execution: StopExecution,
  name: string,
  signal: AbortSignal,
): Promise<boolean> {
  // Otherwise a slow node would execute the stop after its release.
  const isSettled = await execution.settled(name);
  const release = store.releases.find((candidate) => candidate.name === name);
  if (signal.aborted) return false;
  if (release === undefined) return isSettled;
  const failure = await releaseNode(execution.routesTo(name), release.commands, signal);
  if (signal.aborted) return false;
  store.updateNode(name, ({ release_failure: _failure, ...node }) =>
    failure === null
      ? { ...node, released_at: new Date(clock.now()).toISOString() }
      : { ...node, release_failure: failure },
  );
  return failure === null && isSettled;
}

async function resumeWorkflows(store: StopStore, { routes }: StopExecution, signal: AbortSignal): Promise<boolean> {
  const paused = (store.sentStop?.workflows ?? []).filter(({ resumed }) => resumed !== true);
  const { workcell } = routes;
  if (workcell === null || paused.length === 0) return paused.length === 0;
  const results = await Promise.all(
    paused.map(async (workflow) => {
      const result = await resumeWorkflow(workcell, workflow, signal);
      store.setWorkflow(result);
      return result.resumed === true;
    }),
  );
  return !results.includes(false);
}
