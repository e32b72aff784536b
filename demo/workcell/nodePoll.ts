/** Asks the nodes how they are, as often as the real manager does. */
import type { NodeStatus } from '../../api/managers/node.ts';
import { describeStatus } from '../nodes/status.ts';
import type { NodeRecord, WorkcellState } from './state.ts';

/** A lost node loses its status, but keeps its info and state. */
function lost(state: WorkcellState): NodeStatus {
  const facts = {
    busy: false,
    paused: false,
    locked: false,
    stopped: false,
    errored: true,
    disconnected: true,
    initializing: false,
    waiting_for_config: [],
  };
  return {
    ...facts,
    running_actions: [],
    errors: [state.error('[Errno 111] Connection refused', 'ConnectError')],
    config_values: {},
    ...describeStatus(facts),
  };
}

export function pollNode(state: WorkcellState, record: NodeRecord): void {
  const { clock, timing } = state.parts;
  const now = clock.now();
  if (record.status?.disconnected === true && now < record.retryAt) return;
  const node = state.reach(record);
  if (node === undefined) {
    record.status = lost(state);
    record.retryAt = now + timing.reconnect;
    record.locked = false;
    return;
  }
  record.status = node.status();
  record.state = { ...node.state };
  record.locked = false;
  if (record.info === null || now >= record.infoAt + timing.info) {
    record.info = node.info();
    record.infoAt = now;
  }
}

export function pollNodes(state: WorkcellState): void {
  for (const record of state.nodes.values()) pollNode(state, record);
}
