/** A resubmission has a definition of its own, so that a repetition of its request by a proxy is reported. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { computed } from 'vue';
import workcellState from '#api/samples/workcell_state.json' with { type: 'json' };
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { runInComponent } from '../../fixtures/mounted.ts';
import { sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { submissionTexts } from '../../managers/commands/texts.ts';
import { useDeferredCancels } from '../../managers/commands/deferredCancels.ts';
import { useOutcomes } from '../../managers/commands/outcomes.ts';
import { useWorkcell } from '../../managers/workcell/workcellQueries.ts';
import { useActions } from './useActions.ts';

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

const steps = [sampleStep()];
const earlier = {
  ...sampleWorkflow({ workflow_id: '01A', name: 'Assay', steps, workflow_definition_id: '01OLD' }, { completed: true }),
  step_definitions: steps.map(({ name, action, node }) => ({ name, action, node })),
};

const started = (id: string) =>
  sampleWorkflow({ workflow_id: id, name: 'Assay', steps, workflow_definition_id: '01NEW' });

it.each([
  ['a proxy repeats its request', () => started('01C')],
  ['a proxy repeats its request and loses the response', () => Promise.reject(new TypeError('Failed to fetch'))],
])('two workflows of one resubmission are reported, without the earlier ones: %s', async (_what, respond) => {
  let isStarted = false;
  const requests = respondAsManagers({
    workcell: ({ path, method }) => {
      if (path === '/workflow_definition') return '01NEW';
      if (path === '/workflow' && method === 'POST') {
        isStarted = true;
        return respond();
      }
      if (path === '/workflow/01A') return earlier;
      if (path === '/workflows/active') return isStarted ? { '01B': started('01B'), '01C': started('01C') } : {};
      if (path === '/workflows/archived') return { '01A': earlier };
      return path === '/state' ? { ...workcellState, workflow_queue: [], nodes: {} } : undefined;
    },
  });
  const { result } = runInComponent(() => ({
    actions: useActions(computed(() => earlier)),
    outcomes: useOutcomes(),
    deferred: useDeferredCancels(),
    workcell: useWorkcell(),
  }));
  await vi.waitFor(() => expect(result.workcell.value?.address).toContain('workcell'));
  result.actions.requestConfirmation('resubmit', 0);
  await result.actions.confirm();
  await vi.waitFor(() =>
    expect(result.outcomes.list).toContainEqual(
      expect.objectContaining({ state: 'unclear', text: submissionTexts.startedTwice(2) }),
    ),
  );
  expect(requests.find(({ path, method }) => path === '/workflow' && method === 'POST')?.body).toMatchObject({
    workflow_definition_id: '01NEW',
  });
  const second = result.outcomes.list.find(({ text }) => text === submissionTexts.startedTwice(2));
  second?.action?.run();
  expect(result.deferred.list).toMatchObject([{ id: '01C' }]);
  await vi.advanceTimersByTimeAsync(30_000);
});
