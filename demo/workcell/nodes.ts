/** The workcell manager's view of its nodes: it polls their status and sends them commands. */
import type { AdminCommandResponse } from '../../api/managers/action.ts';
import { InternalFailure, ErrorResponse } from '../base/handlers.ts';
import { describeStatus } from '../nodes/description.ts';
import type { NodeRecord, WorkcellState } from './state.ts';

/** Reads the node's status. An unreachable node gets the status of a disconnected one; its info and state stay. */
export function pollNode(state: WorkcellState, record: NodeRecord): void {
  const { clock, timing } = state.parts;
  const now = clock.now();
  if (record.status?.disconnected === true && now < record.retryAt) return;
  const node = state.reach(record);
  record.locked = false;
  if (node === undefined) {
    const flags = { busy: false, paused: false, locked: false, stopped: false, errored: true, disconnected: true };
    const errors = [state.error('[Errno 111] Connection refused', 'ConnectError')];
    record.status = { ...flags, initializing: false, running_actions: [], errors, ...describeStatus(flags) };
    record.retryAt = now + timing.reconnect;
    return;
  }
  record.status = node.status();
  record.state = { ...node.state };
  if (record.info !== null && now < record.infoAt + timing.info) return;
  record.info = node.info();
  record.infoAt = now;
}

export function pollNodes(state: WorkcellState): void {
  for (const record of state.nodes.values()) pollNode(state, record);
}

/** Before a reset, the manager clears its errors of the node, so that an unreachable node is polled immediately. */
function clearErrors(record: NodeRecord): void {
  record.retryAt = -Infinity;
  if (record.status === null) return;
  const cleared = { ...record.status, errored: false, disconnected: false, errors: [] };
  record.status = { ...cleared, ...describeStatus(cleared) };
}

/**
 * Sends a command to a node; null if the node doesn't support it. An unknown node gives a plain 500; an unresponsive node
 * does too, after two seconds.
 */
export async function sendCommand(
  state: WorkcellState,
  name: string,
  command: string,
): Promise<AdminCommandResponse | null> {
  const record = state.nodes.get(name);
  if (record === undefined || record.info === null) throw new InternalFailure('the node is not known');
  if (record.info.capabilities?.admin_commands?.includes(command) !== true) return null;
  const node = state.reach(record);
  if (node !== undefined) return node.command(command);
  await new Promise<void>((resolve) => {
    state.parts.clock.after(2000, resolve);
  });
  throw new InternalFailure('the node does not respond');
}

/** Sends a user's command to one node. */
export async function commandNode(state: WorkcellState, name: string, command: string): Promise<AdminCommandResponse> {
  const record = state.nodes.get(name);
  if (record !== undefined && command === 'reset') clearErrors(record);
  const reply = await sendCommand(state, name, command);
  if (reply === null) throw new ErrorResponse(400, 'Node cannot perform that admin command');
  return reply;
}
