/** What a node's status amounts to, in one state and a few words. Pure. */
import type { NodeActivity } from '../../../api/lab/lab.ts';
import type { Node } from '../../../api/managers/node.ts';
import { nodeState } from '../../../api/managers/nodeState.ts';
import { hasSafetyStop } from '../../../api/safetyStop/safetyStop.ts';
import type { Nodes } from '../../../api/managers/workcell.ts';
import type { ReadStamp } from '../../../api/time/time.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import { parseTime } from '../../base/time.ts';
import { errorTextsOf } from '../errors/errorText.ts';
import { currentStep } from './workflowState.ts';

/** Words about nodes, wherever they are shown. */
const nodeTexts = {
  neverReached: 'The workcell manager has not reached it yet.',
  stopped: 'Stopped by a safety stop; a reset releases it.',
  waitsFor: (keys: string) => `waits for configuration: ${keys}`,
} as const;

export { needsPerson, nodeFlagsOf, nodeLook, nodeState } from '../../../api/managers/nodeState.ts';

/**
 * Why the node is as it is: the newest error for one that has an error now (`errors` outlive a reset), what it waits for,
 * empty where the state's word says it all.
 */
export function nodeReason({ status }: Pick<Node, 'status'>): string {
  if (status === null) return nodeTexts.neverReached;
  const state = nodeState({ status });
  if (state === 'errored' || state === 'disconnected') {
    return errorTextsOf(status.errors?.slice(-1))[0]?.text ?? '';
  }
  if (state === 'stopped') return nodeTexts.stopped;
  if (state === 'unconfigured') return nodeTexts.waitsFor((status.waiting_for_config ?? []).join(', '));
  if (state === 'notReady') return status.description ?? '';
  return '';
}

/** Since when the error is there, as the node's host wrote it; only for an error that is there now. */
function errorTime({ status }: Pick<Node, 'status'>): string | null {
  if (status === null || !(status.errored || status.disconnected === true)) return null;
  return (status.errors ?? []).at(-1)?.logged_at ?? null;
}

/** In ms since the epoch; `null` where it is unknown. */
export type NodeSince = (name: string, node: Pick<Node, 'status'>) => number | null;

/**
 * The manager renews the error of a node that it cannot reach every 30 s, so that the error's time is no beginning: it counts only
 * for an error of the node itself that the service has not seen yet.
 * @param watched nodes that need somebody, as the service publishes them
 */
export function nodeSince(watched: readonly NodeActivity[], at: ReadStamp): NodeSince {
  const byName = new Map(watched.map((node) => [node.name, node]));
  return (name, node) => {
    const state = nodeState(node);
    const seen = byName.get(name);
    if (seen?.state === state) return parseTime(seen.since);
    return state === 'errored' ? at(errorTime(node)) : null;
  };
}

/** The workflow whose step the node is working on, of those that are active; `null` when it is none of them. */
export function workflowOn(name: string, workflows: readonly Workflow[]): Workflow | null {
  return workflows.find((workflow) => workflow.status.running && currentStep(workflow)?.node === name) ?? null;
}

/** The commands that the node says it knows; `null` when it was never asked, so that nobody knows. */
export function knownCommands({ info }: Pick<Node, 'info'>): readonly string[] | null {
  return info === null ? null : (info.capabilities?.admin_commands ?? []);
}

/** How many nodes say that they have no safety stop; one that was never heard isn't among them. */
export function countWithoutSafetyStop(nodes: Nodes): number {
  return Object.values(nodes).filter((node) => hasSafetyStop(knownCommands(node)) === false).length;
}

/** Names of nodes by their ID: events and datapoints only have IDs. */
export function nodeNames(nodes: Nodes): ReadonlyMap<string, string> {
  return new Map(Object.entries(nodes).flatMap(([name, { info }]) => (info?.node_id ? [[info.node_id, name]] : [])));
}
