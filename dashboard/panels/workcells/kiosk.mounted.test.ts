/** A node shows all its flags, also in kiosk mode: a locked node may still be moving. */
import { within } from '@testing-library/dom';
import { expect, it, vi } from 'vitest';
import workcellState from '#api/samples/workcell_state.json' with { type: 'json' };
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import { sampleNode } from '../../fixtures/sampleWorkflow.ts';
import WorkcellsPanel from './WorkcellsPanel.vue';

it.each(['/workcells', '/workcells?kiosk'])('the flags of a node are shown next to its state at %s', async (path) => {
  const nodes = {
    arm: sampleNode({ locked: true, busy: true }),
    reader: sampleNode({ errored: true, locked: true, busy: true }),
  };
  respondAsManagers({
    workcell: ({ path: requestPath }) => (requestPath === '/state' ? { ...workcellState, nodes } : {}),
  });
  const { page, router } = mountComponent(WorkcellsPanel);
  await router.push(path);
  await vi.waitFor(() => expect(within(page.getByRole('main')).getAllByText('Locked, busy')).toHaveLength(1));
  expect(within(page.getByRole('main')).getAllByText('Error, busy, locked')).toHaveLength(1);
});
