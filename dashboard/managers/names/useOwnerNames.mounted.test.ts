/** Names for the IDs in events and owners, as the managers report them. */
import { expect, it, vi } from 'vitest';
import workcellState from '#api/samples/workcell_state.json' with { type: 'json' };
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { runInComponent } from '../../fixtures/mounted.ts';
import { sampleExperiment } from '../../fixtures/sampleRecords.ts';
import { sampleNode } from '../../fixtures/sampleWorkflow.ts';
import { useOwnerNames } from './useOwnerNames.ts';

it('useOwnerNames returns the names of managers, nodes, the workcell and experiments', async () => {
  const node = sampleNode();
  respondAsManagers({
    resource: () => ({ settings: { manager_id: 'RESOURCE' } }),
    workcell: ({ path }) =>
      path === '/settings'
        ? { settings: { manager_id: 'WORKCELL' } }
        : {
            ...workcellState,
            workcell_info: { name: 'Bench 3', nodes: {} },
            nodes: { reader: { ...node, info: { ...node.info, node_id: 'NODE' } } },
          },
    experiment: ({ path }) => (path === '/settings' ? undefined : [sampleExperiment('E', { run_name: 'salt 1' })]),
  });
  const { result: names } = runInComponent(useOwnerNames);
  await vi.waitFor(() => {
    expect(names.value('manager_id', 'RESOURCE')).toBe('ResourceManager');
    expect(names.value('workcell_id', 'WORKCELL')).toBe('Bench 3');
    expect(names.value('node_id', 'NODE')).toBe('reader');
    expect(names.value('experiment_id', 'E')).toBe('Salt series · salt 1');
  });
  expect(names.value('manager_id', 'OTHER')).toBe('');
  expect(names.value('user_id', 'U')).toBe('');
});
