/** Releases a safety stop: the nodes first, then the workflows that it paused. */
import type { StoppedNode } from '../../api/commandRecord.ts';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import { safetyStopTexts as texts } from '../../api/safetyStop/safetyStopTexts.ts';
import { releaseNode } from '../../api/safetyStop/releaseNode.ts';
import { releaseRecord } from '../../api/safetyStop/stopRecord.ts';
import { clock } from '../../api/time/clock.ts';
import { attemptedCommands, type AttemptedNode } from '../../api/lab/safetyStopApi.ts';
import { StopRoutes } from './nodeRoutes.ts';
import type { StopExecution } from './stopExecution.ts';
import type { StopSender, StopStore } from './stopStore.ts';
import { resumeWorkflow } from './workflowGuard.ts';

export interface ReleaseParts {
  readonly store: StopStore;
  readonly sender: StopSender;
  /** The stop was pressed again: then nothing more is released. */
  readonly signal: AbortSignal;
  /** The last press; `null` if this run of the service has sent nothing. */
  readonly execution: StopExecution | null;
  /** The nodes without a result in a stop that another program, or the previous run of the service, has sent. */
  readonly unreported: ReadonlySet<string>;
  /** Resolves when the pending requests to pause workflows have a response. */
  readonly guarding: Promise<unknown>;
}

/** Resolves when each node and each workflow has responded, or the timeouts are over. */
export async function releaseStop(parts: ReleaseParts): Promise<void> {
  const { store, sender, signal, guarding } = parts;
  // The addresses as the workcell manager reports them now.
  const routes = new StopRoutes(store.lab.address('workcell'));
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
async function releaseOne({ store, signal, execution, unreported }: ReleaseParts, routes: StopRoutes, name: string) {
  // Otherwise a slow node would execute the stop after its release.
  const isSettled = (await execution?.settled(name)) ?? true;
  const release = store.releases.find((candidate) => candidate.name === name);
  if (signal.aborted) return false;
  // A sender of its own has not reported yet what it has done at the node.
  if (release === undefined) return isSettled && !unreported.has(name);
  const url = store.getNodeUrl(name);
  const failure = await releaseNode(routes.routesTo({ name, url }), release.commands, signal);
  if (signal.aborted) return false;
  store.updateNode(name, ({ release_failure: _failure, ...node }) =>
    failure === null
      ? { ...node, released_at: new Date(clock.now()).toISOString() }
      : { ...node, release_failure: failure },
  );
  // All screens follow the release at once, and need not wait for it.
  if (url !== null) void routes.readState(url).then((now) => now && store.setReading(name, now));
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

const effects = { safety_stop: 'stopped', lock: 'locked', pause: 'paused' } as const;

/**
 * Adds what another sender of a stop may have sent without a report, so that a release undoes it: the commands whose effect
 * a node shows now, besides those from before the stop.
 * @param assumed whether the commands count at a node that does not report its state
 * @returns whether there is anything to release
 */
export async function addUnreported(
  store: StopStore,
  nodes: readonly AttemptedNode[],
  assumed: boolean,
): Promise<boolean> {
  const stopId = store.sentStop?.id;
  const routes = new StopRoutes(store.lab.address('workcell'));
  const unreported = await Promise.all(
    nodes.map(async ({ name, attempted, before: setBefore }) => {
      const before = store.flagsBefore(name, setBefore);
      const url = store.getNodeUrl(name);
      const now = url === null ? null : await routes.readState(url);
      if (now !== null) store.setReading(name, now);
      const flags = now && [now.state, ...now.flags];
      const isEffective = (command: AttemptedNode['attempted'][number]): boolean =>
        !before.includes(command) && (flags?.includes(effects[command]) ?? assumed);
      return { name, before, attempted: attempted.filter(isEffective) };
    }),
  );
  // Pressed again meanwhile.
  if (store.sentStop?.id !== stopId || store.isSending) return false;
  const effective = unreported.filter(({ attempted }) => attempted.length > 0);
  for (const { name, attempted, before } of effective)
    store.updateNode(name, ({ released_at: _releasedAt, ...node }) => ({
      ...node,
      result: 'sent',
      reason: '',
      did: [],
      attempted,
      before: [...new Set([...node.before, ...before])],
    }));
  return effective.length > 0;
}

/** Those of the nodes that are not released, and everything that they may have executed. */
export const listOpen = ({ nodes }: LabStop, names: ReadonlySet<string>): AttemptedNode[] =>
  nodes
    .filter(({ name, released_at: at }) => at === undefined && names.has(name))
    .map(({ name, before }) => ({ name, attempted: [...attemptedCommands], before }));

export const namesOf = ({ nodes }: LabStop, result: StoppedNode['result']): ReadonlySet<string> =>
  new Set(nodes.flatMap((node) => (node.result === result ? [node.name] : [])));

/** The nodes that may have executed more than the stop contains. */
export const openNames = (stop: LabStop): ReadonlySet<string> =>
  new Set([...namesOf(stop, 'sending'), ...namesOf(stop, 'held')]);
