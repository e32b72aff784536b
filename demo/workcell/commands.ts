/** Admin commands to one node or to all that know them. */
import type { AdminCommandAnswer } from '../../api/managers/action.ts';
import { InternalFailure, Refusal } from '../base/handling.ts';
import { describeStatus } from '../nodes/status.ts';
import type { NodeRecord, WorkcellState } from './state.ts';

const knows = (record: NodeRecord, command: string) =>
  record.info?.capabilities?.admin_commands?.includes(command) === true;

/** A reset of one node clears what the manager believes of it first, so that a lost node is asked again at once. */
function forget(record: NodeRecord): void {
  record.retryAt = -Infinity;
  if (record.status === null) return;
  const cleared = { ...record.status, errored: false, disconnected: false, errors: [] };
  record.status = {
    ...cleared,
    ...describeStatus({ ...cleared, disconnected: false, waiting_for_config: cleared.waiting_for_config ?? [] }),
  };
}

async function send(state: WorkcellState, record: NodeRecord, command: string): Promise<AdminCommandAnswer> {
  const node = state.reach(record);
  if (node === undefined) return state.unreachable();
  return node.command(command);
}

export async function commandNode(state: WorkcellState, name: string, command: string): Promise<AdminCommandAnswer> {
  const record = state.nodes.get(name);
  if (record === undefined || record.info === null) throw new InternalFailure('the node is not known');
  if (command === 'reset') forget(record);
  if (!knows(record, command)) throw new Refusal(400, 'Node cannot perform that admin command');
  return send(state, record, command);
}

/** One after the other; the first that fails ends it, and the rest hears nothing. */
export async function commandAll(state: WorkcellState, command: string): Promise<AdminCommandAnswer[]> {
  const answers: AdminCommandAnswer[] = [];
  for (const record of state.nodes.values()) {
    if (record.info === null) throw new InternalFailure('a node has no info');
    if (knows(record, command)) answers.push(await send(state, record, command));
  }
  return answers;
}
