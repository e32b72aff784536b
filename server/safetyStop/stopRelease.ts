/** Releases a safety stop: the nodes first, then the workflows that it paused. */
import { safetyStopTexts as texts } from '../../api/safetyStop/safetyStopTexts.ts';
import { releaseNode } from '../../api/safetyStop/releaseNode.ts';
import { releaseRecord } from '../../api/safetyStop/stopRecord.ts';
import { clock } from '../../api/time/clock.ts';
import { StopRoutes } from './nodeRoutes.ts';
import type { StopSender, StopStore } from './stopStore.ts';
import { resumeWorkflow } from './workflowGuard.ts';

export interface ReleaseParts {
  readonly store: StopStore;
  readonly sender: StopSender;
  /** The stop was pressed again: then nothing more is released. */
  readonly signal: AbortSignal;
  /** Resolves when no request of the stop to the node is pending. @returns whether this is certain */
  readonly settled: (name: string) => Promise<boolean>;
  /** Resolves when the pending requests to pause workflows have a response. */
  readonly guarding: Promise<unknown>;
}

/** Resolves when each node and each workflow has responded, or the timeouts are over. */
export async function releaseStop(parts: ReleaseParts): Promise<void> {
  const { store, sender, signal, guarding } = parts;
  // The addresses as the workcell manager reports them now.
  const routes = new StopRoutes(store.options.workcell());
  const beganAt = clock.now();
  const released = store.sentStop;
  const names = new Set([...(store.sentStop?.nodes ?? []), ...store.releases].map(({ name }) => name));
  const results = await Promise.all([...names].map((name) => releaseOne(parts, routes, name)));
  // Otherwise a workflow that is being paused would stay paused.
  await guarding;
  const areResumed = signal.aborted || (await resumeWorkflows(parts, routes));
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
async function releaseOne({ store, signal, settled }: ReleaseParts, routes: StopRoutes, name: string) {
  // Otherwise a slow node would execute the stop after its release.
  const isSettled = await settled(name);
  const release = store.releases.find((candidate) => candidate.name === name);
  if (signal.aborted) return false;
  if (release === undefined) return isSettled;
  const url = store.nodes?.nodes.find((node) => node.name === name)?.url ?? null;
  const failure = await releaseNode(routes.routesTo({ name, url }), release.commands, signal);
  if (signal.aborted) return false;
  store.updateNode(name, ({ release_failure: _failure, ...node }) =>
    failure === null
      ? { ...node, released_at: new Date(clock.now()).toISOString() }
      : { ...node, release_failure: failure },
  );
  return failure === null && isSettled;
}

async function resumeWorkflows({ store, signal }: ReleaseParts, { workcell }: StopRoutes): Promise<boolean> {
  const paused = (store.sentStop?.workflows ?? []).filter(({ resumed }) => resumed !== true);
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
