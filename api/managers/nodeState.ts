/** Reduces a node's status to one state, which decides colour and order, and the flags besides it. */
import {
  nodeFlags,
  nodeFlagText,
  nodeAppearances,
  type NodeFlag,
  type NodeState,
  type StateAppearance,
} from '../states.ts';
import type { Node } from './node.ts';

/** The worst state in the status; `unknown` if the node was never reached. */
export function nodeState({ status }: Pick<Node, 'status'>): NodeState {
  if (status === null) return 'unknown';
  if (status.disconnected === true) return 'disconnected';
  if (status.stopped) return 'stopped';
  if (status.errored) return 'errored';
  if ((status.waiting_for_config ?? []).length > 0) return 'unconfigured';
  if (status.locked) return 'locked';
  if (status.paused) return 'paused';
  if (status.initializing) return 'initializing';
  if (status.busy) return 'busy';
  return status.ready ? 'ready' : 'notReady';
}

/** The flags that are set and not implied by the state: a locked node may still be moving. */
export function otherNodeFlags({ status }: Pick<Node, 'status'>): readonly NodeFlag[] {
  if (status === null) return [];
  const state = nodeState({ status });
  // For an unreachable node the workcell manager reports an error that it generated itself.
  const isReachable = state !== 'disconnected';
  const flags: Readonly<Record<NodeFlag, boolean>> = {
    busy: status.busy,
    errored: status.errored && isReachable,
    stopped: status.stopped,
    paused: status.paused,
    locked: status.locked,
  };
  return nodeFlags.filter((flag) => flags[flag] && flag !== state);
}

/** `Locked, busy` */
export function nodeStateText(state: NodeState, flags: readonly NodeFlag[]): string {
  return [nodeAppearances[state].label, ...flags.map((flag) => nodeFlagText[flag])].join(', ');
}

/** The node's appearance: shape and colour of its state, and a text with the flags. */
export function nodeAppearance(node: Pick<Node, 'status'>): StateAppearance {
  const state = nodeState(node);
  return { ...nodeAppearances[state], label: nodeStateText(state, otherNodeFlags(node)) };
}

/**
 * Whether the node needs attention before it works again.
 * @param waitingCount the workflows whose next step is on it: only with these, a locked or paused node needs attention
 */
export function needsAttention(state: NodeState, waitingCount = 0): boolean {
  const isLockedOrPaused = state === 'locked' || state === 'paused';
  return (isLockedOrPaused && waitingCount > 0) || nodeAppearances[state].severity >= nodeAppearances.notReady.severity;
}

/** The reason of a node's state and the number of workflows that wait for it, in one text; empty without either. */
export function nodeReasonText(reason: string | null, waitingCount = 0): string {
  const waiting = waitingCount === 1 ? 'One workflow waits for it' : `${waitingCount} workflows wait for it`;
  return [...(reason ? [reason.replace(/\.$/, '')] : []), ...(waitingCount > 0 ? [waiting] : [])].join('. ');
}

/** The command that ends a node's state. */
const suggestedCommands: Readonly<Partial<Record<NodeState, 'reset' | 'unlock' | 'resume'>>> = {
  disconnected: 'reset',
  stopped: 'reset',
  errored: 'reset',
  locked: 'unlock',
  paused: 'resume',
};
export type SuggestedCommand = NonNullable<(typeof suggestedCommands)[NodeState]>;

/** Returns the command that ends the node's state; `null` if there is none. */
export function suggestedCommandFor(state: NodeState): SuggestedCommand | null {
  return suggestedCommands[state] ?? null;
}
