import { within } from '@testing-library/dom';
import { expect, it, vi } from 'vitest';
import workcellState from '#api/samples/workcell_state.json' with { type: 'json' };
import { createStopResponse, respondAsManagers } from '../../fixtures/managerResponses.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { safetyStopTexts } from '#api/safetyStop/safetyStopTexts.ts';
import NodeTiles from './NodeTiles.vue';

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

it('the tile of a node that did not confirm the safety stop shows that it is not stopped', async () => {
  const nodes = { arm: sampleNode({ locked: true }), reader: sampleNode({ stopped: true }) };
  respondAsManagers({ workcell: ({ path }) => (path === '/state' ? { ...workcellState, nodes } : {}) });
  const respond = fetch;
  const at = '2026-11-21T09:00:00.000Z';
  const common = { workcell: 'http://workcell.lab.example:8000/', reason: '', did: ['lock' as const], before: [] };
  const node = (name: string, result: 'held' | 'confirmed') => ({ name, result, ...common });
  const stop = {
    id: 's',
    at,
    machine: null,
    application: null,
    nodes: [node('arm', 'held'), node('reader', 'confirmed')],
  };
  vi.stubGlobal('fetch', async (input: string | URL, init?: RequestInit) =>
    new URL(input).pathname === '/safety_stop'
      ? Response.json(createStopResponse({ stop, in_effect: true }))
      : await respond(input, init),
  );
  const { page } = mountComponent(NodeTiles);
  await page.findByText(safetyStopTexts.notConfirmedLabel);
  const [arm, reader] = page.getAllByRole('listitem');
  expect(arm?.textContent).toContain(safetyStopTexts.notConfirmedLabel);
  expect(reader?.textContent).not.toContain(safetyStopTexts.notConfirmedLabel);
});
