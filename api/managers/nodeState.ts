/** A node's status as one state, which decides colour and order, and the flags that are set besides. Pure. */
import { nodeFlags, nodeFlagText, nodeLooks, type NodeFlag, type NodeState, type StateLook } from '../states.ts';
import type { Node } from './node.ts';

/** The worst of what the status says; a node that was never reached has none. */
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

/** The flags that are set and that the word of the state does not imply: a locked node may still be moving. */
export function nodeFlagsOf({ status }: Pick<Node, 'status'>): readonly NodeFlag[] {
  if (status === null) return [];
  const state = nodeState({ status });
  // Of a node that it can't reach the workcell manager reports an error of its own making.
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
  return [nodeLooks[state].word, ...flags.map((flag) => nodeFlagText[flag])].join(', ');
}

/** How the node is shown: shape and colour of its state, and the flags in the word. */
export function nodeLook(node: Pick<Node, 'status'>): StateLook {
  const state = nodeState(node);
  return { ...nodeLooks[state], word: nodeStateText(state, nodeFlagsOf(node)) };
}

/** Whether a person has to do something before the node works again. */
export function needsPerson(state: NodeState): boolean {
  return nodeLooks[state].severity >= nodeLooks.notReady.severity;
}
