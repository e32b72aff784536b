/** The state of a node and its text, from its status. */
import type { NodeActivity } from '#api/lab/lab.ts';
import type { Node } from '#api/managers/node.ts';
import { nodeState } from '#api/managers/nodeState.ts';
import { hasSafetyStop } from '#api/safetyStop/safetyStop.ts';
import type { Nodes } from '#api/managers/workcell.ts';
import type { ReadStamp } from '#api/time/time.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { parseTime } from '../../base/time.ts';
import { toErrorTexts } from '../errors/errorText.ts';
import { currentStep } from './workflowState.ts';

const nodeTexts = {
  neverReached: 'The workcell manager has not reached it yet.',
  stopped: 'Stopped by a safety stop',
  waitsFor: (keys: string) => `waits for configuration: ${keys}`,
} as const;

export { otherNodeFlags, nodeAppearance, nodeState } from '#api/managers/nodeState.ts';

/**
 * Returns the reason for a node's state, such as its newest error (only a current one: `errors` persist after a reset) or
 * its missing configuration; empty if the state's name is sufficient.
 */
export function nodeReason({ status }: Pick<Node, 'status'>): string {
  if (status === null) return nodeTexts.neverReached;
  const state = nodeState({ status });
  if (state === 'errored' || state === 'disconnected') {
    return toErrorTexts(status.errors?.slice(-1))[0]?.text ?? '';
  }
  if (state === 'stopped') return nodeTexts.stopped;
  if (state === 'unconfigured') return nodeTexts.waitsFor((status.waiting_for_config ?? []).join(', '));
  if (state === 'notReady') return status.description ?? '';
  return '';
}

/** Returns when the current error was logged, in the node host's format; `null` without a current error. */
function errorTime({ status }: Pick<Node, 'status'>): string | null {
  if (status === null || !(status.errored || status.disconnected === true)) return null;
  return (status.errors ?? []).at(-1)?.logged_at ?? null;
}

/** In ms since the epoch; `null` where it is unknown. */
export type NodeStateStart = (name: string, node: Pick<Node, 'status'>) => number | null;

/**
 * The manager renews the error of an unreachable node every 30 s, so its time isn't the start of the state. The error's
 * time is used only for an error of the node itself that the service has not seen yet.
 * @param watched nodes that need attention, as the service publishes them
 */
export function createNodeStateStart(watched: readonly NodeActivity[], parseStamp: ReadStamp): NodeStateStart {
  const byName = new Map(watched.map((node) => [node.name, node]));
  return (name, node) => {
    const state = nodeState(node);
    const published = byName.get(name);
    if (published?.state === state) return parseTime(published.since);
    return state === 'errored' ? parseStamp(errorTime(node)) : null;
  };
}

/** Returns the active workflow whose step the node is working on; `null` if there is none. */
export function workflowRunningOn(name: string, workflows: readonly Workflow[]): Workflow | null {
  return workflows.find((workflow) => workflow.status.running && currentStep(workflow)?.node === name) ?? null;
}

/** Returns the commands that the node reports; `null` if it was never reached, so that they are unknown. */
export function reportedCommands({ info }: Pick<Node, 'info'>): readonly string[] | null {
  return info === null ? null : (info.capabilities?.admin_commands ?? []);
}

/** Returns the number of nodes that report no safety stop; a node that was never reached isn't included. */
export function countWithoutSafetyStop(nodes: Nodes): number {
  return Object.values(nodes).filter((node) => hasSafetyStop(reportedCommands(node)) === false).length;
}

/** Returns node names by ID, because events and datapoints contain only IDs. */
export function nodeNamesById(nodes: Nodes): ReadonlyMap<string, string> {
  return new Map(Object.entries(nodes).flatMap(([name, { info }]) => (info?.node_id ? [[info.node_id, name]] : [])));
}
