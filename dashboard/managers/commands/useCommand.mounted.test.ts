/** The state that the page reports after a command without a readable response. */
import { expect, it, vi } from 'vitest';
import { ManagerError } from '#api/client/managerError.ts';
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { runInComponent } from '../../fixtures/mounted.ts';
import { useActiveWorkflows } from '../workcell/workcellQueries.ts';
import { useOutcomes } from './outcomes.ts';
import { noPremise } from './premise.ts';
import { outcomeTexts } from './texts.ts';
import { useCommand } from './useCommand.ts';

it.each([
  ['is reported from a reading after the failure', true, 'still running'],
  ['is unknown if the last reading began before the failure', false, ''],
])('the state after a command %s', async (_what, isReadable, stateText) => {
  let hasFailed = false;
  respondAsManagers({
    workcell: ({ path }) => {
      if (path !== '/workflows/active') return undefined;
      return hasFailed && !isReadable ? new TypeError('Failed to fetch') : {};
    },
  });
  const { result } = runInComponent(() => ({
    active: useActiveWorkflows(),
    act: useCommand(),
    outcomes: useOutcomes(),
  }));
  await vi.waitFor(() => expect(result.active.receivedAt.value).toBeTypeOf('number'));
  await result.act({
    commandText: 'Pause',
    verb: 'Pause',
    target: { kind: 'workflow', id: 'w', name: 'Assay' },
    manager: 'workcell',
    premise: noPremise,
    run: async () => {
      // A reading that arrives while the command is on its way.
      await result.active.refresh();
      await new Promise((resolve) => setTimeout(resolve, 2));
      hasFailed = true;
      const facts = { manager: 'workcell', endpoint: 'pauseWorkflow', purpose: 'pause', address: '' } as const;
      throw new ManagerError({ ...facts, kind: 'timeout', reason: 'timed out' });
    },
    interpretResponse: () => 'Done.',
    describeState: () => 'still running',
  });
  expect(result.outcomes.list[0]?.text).toBe(outcomeTexts.unreadable('timed out', stateText));
});
