/** What is said of use while those who know it don't answer, or aren't there. */
import { waitFor } from '@testing-library/dom';
import { afterEach, expect, it, vi } from 'vitest';
import { answerAsManagers, unreadable } from '../../../fixtures/managerAnswers.ts';
import { feedbackTexts } from '../../../components/texts.ts';
import { mounted } from '../../../fixtures/mounted.ts';
import { StandInWorker } from '../../../fixtures/standInWorker.ts';
import type { ReadFailure, WorkerAnswer, WorkerRequest } from '../../../managers/transport/worker/workerMessages.ts';
import type { WorkflowRow } from '../../../managers/workcell/workflowRow.ts';
import UtilizationPage from './UtilizationPage.vue';
import { utilizationTexts as texts } from './texts.ts';

afterEach(() => void vi.unstubAllGlobals());

const failure: ReadFailure = { kind: 'unreachable', status: null, reason: 'no connection', retryAfterMs: null };
type ArchiveWorker = StandInWorker<WorkerRequest<number>, WorkerAnswer<WorkflowRow, readonly []>>;

function opened() {
  const started = StandInWorker.stub() as readonly ArchiveWorker[];
  answerAsManagers({ event: unreadable, workcell: unreadable });
  const { page, unmount } = mounted(UtilizationPage);
  const answer = (...parts: readonly object[]): void => {
    for (const { id } of started[0]?.asked ?? [])
      for (const part of parts) started[0]?.answer({ id, ...part } as Parameters<ArchiveWorker['answer']>[0]);
  };
  const asked = () => waitFor(() => expect(started[0]?.asked.length).toBeGreaterThan(0));
  return { unmount, words: () => page.getByRole('main').textContent ?? '', asked, answer };
}

it('the utilization page shows no workflows before they are read, and shows why', async () => {
  const { words, asked, answer, unmount } = opened();
  await asked();
  expect(words()).toContain(texts.reading);
  expect(words()).not.toContain(texts.none);
  answer({ failure });
  await waitFor(() => expect(words()).toContain(texts.archiveUnread('no connection')));
  expect(words()).not.toContain(texts.none);
  expect(words()).not.toContain(texts.reading);
  unmount();
});

it('the utilization page names invalid workflows of the archive', async () => {
  const { words, asked, answer, unmount } = opened();
  await asked();
  answer({ rows: [] }, { end: true, rest: [], bad: [{ name: 'ODD', reason: 'status: invalid' }] });
  await waitFor(() => expect(words()).toContain(feedbackTexts.badRecords.title(1)));
  expect(words()).toContain('ODD');
  unmount();
});

it('the utilization page reports an empty archive', async () => {
  const { words, asked, answer, unmount } = opened();
  await asked();
  answer({ rows: [] }, { end: true, rest: [], bad: [] });
  await waitFor(() => expect(words().split(texts.none)).toHaveLength(3));
  unmount();
});

it('the utilization page names the managers that the lab does not have', async () => {
  answerAsManagers({});
  const { page, unmount } = mounted(UtilizationPage);
  await waitFor(() => expect(page.getAllByText(texts.noEvents)).toHaveLength(1));
  expect(page.getAllByText(texts.noWorkcell, { exact: false })).toHaveLength(2);
  expect(page.queryByText(texts.none)).toBeNull();
  unmount();
});
