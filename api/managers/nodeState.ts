/** What a node's status amounts to, in one state. Pure. */
import { nodeLooks, type NodeState } from '../states.ts';
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

/** Whether a person has to do something before the node works again. */
export function needsPerson(state: NodeState): boolean {
  return nodeLooks[state].severity >= nodeLooks.notReady.severity;
}
