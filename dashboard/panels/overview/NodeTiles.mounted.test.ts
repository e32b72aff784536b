import { within } from '@testing-library/dom';
import { afterEach, expect, it, vi } from 'vitest';
import workcellState from '#api/samples/workcell_state.json' with { type: 'json' };
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import NodeTiles from './NodeTiles.vue';

afterEach(() => void vi.unstubAllGlobals());

it('a tile shows the state of its node, and its workflow or the reason of the state', async () => {
  const nodes = {
    node_10: sampleNode({}),
    node_2: sampleNode({ busy: true }),
    reader: sampleNode({ errored: true, errors: [{ message: 'the door is open' }] }),
  };
  const step = sampleStep({ node: 'node_2', status: 'running' });
  const workflow = sampleWorkflow({ steps: [step] }, { running: true });
  respondAsManagers({
    workcell: ({ path }) =>
      path === '/state'
        ? { ...workcellState, nodes }
        : path === '/workflows/active'
          ? { [workflow.workflow_id]: workflow }
          : {},
  });
  const { page } = mountComponent(NodeTiles);
  await page.findByText('Growth assay, step 1 of 1');
  const tiles = page.getAllByRole('listitem');
  expect(tiles.map((tile) => within(tile).getAllByRole('link')[0]?.textContent)).toEqual([
    'node_2',
    'node_10',
    'reader',
  ]);
  expect(tiles[0]?.textContent).toContain('Busy');
  expect(tiles[2]?.textContent).toContain('the door is open');
});
