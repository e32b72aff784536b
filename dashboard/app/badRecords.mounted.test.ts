/** A list of a manager with a record that can't be read: the rest of the list is shown, and the record is named. */
import { afterEach, expect, it, vi } from 'vitest';
import { answerAsManagers } from '../fixtures/managerAnswers.ts';
import { giveRoomToTables, mounted } from '../fixtures/mounted.ts';
import { sampleExperiment } from '../fixtures/records.ts';
import ExperimentsPanel from '../panels/experiments/ExperimentsPanel.vue';
import { feedbackTexts } from '../components/feedback/texts.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('costs its own row, which is named above the list with the reason', async () => {
  giveRoomToTables();
  answerAsManagers({
    experiment: ({ path }) =>
      path === '/experiments' ? [sampleExperiment('A'), { _id: 'ODD', status: 7 }, sampleExperiment('B')] : [],
  });
  const { page } = mounted(ExperimentsPanel);
  await vi.waitFor(() => expect(page.getByText('run A')).toBeTruthy());
  expect(page.getByText('run B')).toBeTruthy();
  expect(page.getByText(feedbackTexts.badRecords.title(1))).toBeTruthy();
  expect(page.getByText(/ODD: /).textContent).toContain('status');
});
