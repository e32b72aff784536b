import { expect, it, vi } from 'vitest';
import workcellState from '#api/samples/workcell_state.json' with { type: 'json' };
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import { sampleExperiment } from '../../fixtures/sampleRecords.ts';
import { ResourceTestWorker, sampleResource } from '../../fixtures/resourceResponses.ts';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import { sampleNode } from '../../fixtures/sampleWorkflow.ts';
import SubjectLinks from './SubjectLinks.vue';

const id = (end: string): string => `01M7YEZGAZMTTE3RWYNVGA29${end}`;

it('the links name nodes, resources, locations and experiments and shorten the ID of a missing object', async () => {
  vi.stubGlobal('Worker', ResourceTestWorker);
  const node = sampleNode();
  respondAsManagers({
    workcell: ({ path }) =>
      path === '/state'
        ? { ...workcellState, nodes: { reader: { ...node, info: { ...node.info, node_id: id('N1') } } } }
        : {},
    resource: () => [sampleResource(id('R1'), { resource_name: 'tips 4' })],
    location: () => [{ ...sampleLocation('bench'), location_id: id('L1') }],
    experiment: () => [sampleExperiment(id('E1'), { run_name: 'salt 1' })],
  });
  const subjects = [
    { kind: 'node', id: id('N1') },
    { kind: 'resource', id: id('R1') },
    { kind: 'location', id: id('L1') },
    { kind: 'experiment', id: id('E1') },
    { kind: 'workflow', id: id('W1') },
  ];
  const { page } = mountComponent(SubjectLinks, { subjects });
  const linkTexts = () => page.getAllByRole('link').map(({ textContent }) => textContent);
  await vi.waitFor(() =>
    expect(linkTexts()).toEqual(
      ['reader', 'tips 4', 'bench', 'salt 1', '…GA29W1'].map((n) => expect.stringContaining(n)),
    ),
  );
});
