/** The check for workflows that a browser or a proxy has started twice by repeating the request. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { runInComponent } from '../../fixtures/mounted.ts';
import { sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { useWorkcell } from '../workcell/workcellQueries.ts';
import { useDeferredCancels } from './deferredCancels.ts';
import { useDuplicateCheck } from './duplicateCheck.ts';
import { useOutcomes } from './outcomes.ts';
import { submissionTexts as texts } from './texts.ts';

const definition = '01JDMDEFINITION0000000000A';
const started = (id: string) => ({ ...sampleWorkflow(), workflow_id: id, workflow_definition_id: definition });

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

/** @param active the workflows at each reading, the last one also at all later ones */
async function check(...active: readonly (readonly string[])[]) {
  const readings = [...active];
  respondAsManagers({
    workcell: ({ path }) => {
      if (path === '/workflows/archived') return {};
      if (path !== '/workflows/active') return { nodes: {}, workflow_queue: [] };
      const ids = (readings.length > 1 ? readings.shift() : readings[0]) ?? [];
      return Object.fromEntries(ids.map((id) => [id, started(id)]));
    },
  });
  const { result } = runInComponent(() => ({
    checkDuplicates: useDuplicateCheck(),
    outcomes: useOutcomes(),
    deferred: useDeferredCancels(),
    workcell: useWorkcell(),
  }));
  await vi.waitFor(() => expect(result.workcell.value?.address).toContain('workcell'));
  const checked = result.checkDuplicates('Assay', definition);
  await vi.advanceTimersByTimeAsync(11_000);
  await checked;
  return result;
}

it('a workflow that was started once is not reported', async () => {
  const { outcomes } = await check(['01A']);
  expect(outcomes.list).toEqual([]);
});

it.each([
  ['at once', [['01A', '01B']]],
  ['by a later repetition', [['01A'], ['01A', '01B']]],
] as const)('a second workflow is reported %s, and cancelled on request', async (_when, readings) => {
  const { outcomes, deferred } = await check(...readings);
  expect(outcomes.list).toMatchObject([{ state: 'unclear', text: texts.startedTwice(2) }]);
  expect(outcomes.list[0]?.action?.label).toBe('Cancel the second');
  outcomes.list[0]?.action?.run();
  expect(deferred.list).toMatchObject([{ id: '01B', impacts: [] }]);
});
