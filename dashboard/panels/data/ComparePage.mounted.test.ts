import { beforeEach, expect, it, vi } from 'vitest';
import workcellState from '#api/samples/workcell_state.json' with { type: 'json' };
import { recordCanvas } from '../../fixtures/recordCanvas.ts';
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import { indexById, sampleDatapoint, sampleExperiment } from '../../fixtures/sampleRecords.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import ComparePage from './ComparePage.vue';

beforeEach(() => void recordCanvas());
const ids = ['01A', '01B', '01C'];
const ownership = (workflow: string) => ({ ownership_info: { workflow_id: workflow, node_id: 'NODE' } });
/** The ownership of a datapoint from a node that the workcell manager no longer has. */
const stepOwnership = (workflow: string) => ({
  ownership_info: { workflow_id: workflow, step_id: 'read', node_id: 'OLD' },
});
const datapoints = indexById(
  sampleDatapoint('01A', { label: 'growth', value: [1, null, 4], ...ownership('W1') }),
  sampleDatapoint('01B', { label: 'growth', value: [1, 2, 9], ...ownership('W2') }),
  sampleDatapoint('01C', { label: 'growth', data_type: 'file', path: '/data/growth.csv', ...stepOwnership('W2') }),
);
const createWorkflow = (id: string, experiment: string) =>
  sampleWorkflow(
    {
      workflow_id: id,
      ownership_info: { experiment_id: experiment },
      steps: [sampleStep({ step_id: 'read', node: 'reader' })],
    },
    { running: true },
  );

it('the legend of the comparison names each list and CSV file by experiment, node and time', async () => {
  const workflows = { W1: createWorkflow('W1', 'E1'), W2: createWorkflow('W2', 'E2') };
  const node = sampleNode();
  const csv = () => new Response('growth\n3\n5\n8\n', { headers: { 'content-type': 'text/csv' } });
  respondAsManagers({
    data: ({ path }) => (path.endsWith('/value') ? csv() : path === '/datapoints/query' ? datapoints : undefined),
    experiment: () => [sampleExperiment('E1', { run_name: 'salt 1' }), sampleExperiment('E2', { run_name: 'salt 2' })],
    workcell: ({ path }) => {
      if (path === '/state')
        return { ...workcellState, nodes: { reader: { ...node, info: { ...node.info, node_id: 'NODE' } } } };
      if (path === '/workflow/W1') return workflows.W1;
      return path === '/workflow/W2' ? workflows.W2 : undefined;
    },
  });
  const { page, router } = mountComponent(ComparePage);
  await router.push(`/data/compare?ids=${ids.join(',')}`);
  const legend = () => [...document.querySelectorAll('.legend .key')].map((key) => key.textContent?.trim() ?? '');
  await vi.waitFor(() => expect(legend()).toHaveLength(3));
  await vi.waitFor(() => {
    const names = legend();
    expect(names.filter((name) => name.includes('salt 1, reader'))).toHaveLength(1);
    expect(names.filter((name) => name.includes('salt 2, reader'))).toHaveLength(2);
    for (const name of names) expect(name).toMatch(/\d{1,2}:\d{2}/);
  });
  expect(page.queryByText(/…/)).toBeNull();
});
