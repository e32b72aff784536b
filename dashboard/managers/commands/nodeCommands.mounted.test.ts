/** Tests that a command to many nodes is recorded in the audit log for each node. */
import { expect, it, vi } from 'vitest';
import { readRecordedCommand } from '#api/commandRecord.ts';
import workcellState from '#api/samples/workcell_state.json' with { type: 'json' };
import { respondAsManagers, type ManagerRequest } from '../../fixtures/managerResponses.ts';
import { runInComponent } from '../../fixtures/mounted.ts';
import { sampleNode } from '../../fixtures/sampleWorkflow.ts';
import { useAddress } from '../transport/clients.ts';
import { useWorkcellState } from '../workcell/workcellQueries.ts';
import { useCommandToAll } from './nodeCommands.ts';

it('a command to all nodes is recorded once for each node with the node’s ID', async () => {
  const nodes = Object.fromEntries(
    ['arm', 'reader'].map((name) => {
      const node = sampleNode();
      return [name, { ...node, info: { ...node.info, node_id: `id-${name}` } }];
    }),
  );
  const workcell = ({ method }: ManagerRequest) =>
    method === 'POST' ? { success: true, errors: [] } : { ...workcellState, workflow_queue: [], nodes };
  const event = ({ body }: ManagerRequest) => ({ event_timestamp: '2026-11-23T14:00:00', ...(body as object) });
  const requests = respondAsManagers({ workcell, event });
  const { result } = runInComponent(() => ({
    ...useCommandToAll(),
    state: useWorkcellState(),
    events: useAddress('event'),
  }));
  await vi.waitFor(() => expect([result.state.data.value, result.events.value]).not.toContain(undefined));
  await result.send('lock', ['arm', 'reader'], []);
  const targets = () =>
    requests.flatMap(({ manager, method, body }) =>
      manager === 'event' && method === 'POST' ? [readRecordedCommand(body)?.record.target] : [],
    );
  await vi.waitFor(() => expect(targets()).toHaveLength(2));
  expect(targets()).toEqual([
    { kind: 'node', id: 'id-arm', name: 'arm' },
    { kind: 'node', id: 'id-reader', name: 'reader' },
  ]);
});
