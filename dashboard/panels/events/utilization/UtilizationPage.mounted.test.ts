import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { commonTexts } from '#dashboard/base/texts.ts';
import { respondAsManagers, createUnreadableError } from '#dashboard/fixtures/managerResponses.ts';
import { feedbackTexts } from '#dashboard/components/texts.ts';
import { mountComponent } from '#dashboard/fixtures/mounted.ts';
import { FakeWorker } from '#dashboard/fixtures/fakeWorker.ts';
import type {
  ReadFailure,
  WorkerResponse,
  WorkerRequest,
} from '#dashboard/managers/transport/worker/workerMessages.ts';
import type { WorkflowRow } from '#dashboard/managers/workcell/workflowRow.ts';
import UtilizationPage from './UtilizationPage.vue';
import { utilizationTexts as texts } from '../texts.ts';

const failure: ReadFailure = { kind: 'unreachable', status: null, reason: 'no connection', retryAfterMs: null };
type ArchiveWorker = FakeWorker<WorkerRequest<number>, WorkerResponse<WorkflowRow, readonly []>>;

function openPage() {
  const workers = FakeWorker.stub() as readonly ArchiveWorker[];
  respondAsManagers({ event: createUnreadableError, workcell: createUnreadableError });
  const { page, unmount } = mountComponent(UtilizationPage);
  const respond = (...parts: readonly object[]): void => {
    for (const { id } of workers[0]?.requests ?? [])
      for (const part of parts) workers[0]?.respond({ id, ...part } as Parameters<ArchiveWorker['respond']>[0]);
  };
  const waitForRequests = () => waitFor(() => expect(workers[0]?.requests.length).toBeGreaterThan(0));
  return { page, unmount, text: () => page.getByRole('main').textContent ?? '', waitForRequests, respond };
}

it('the utilization page does not report an empty archive while it is being read or can’t be read', async () => {
  const { text, waitForRequests, respond, unmount } = openPage();
  await waitForRequests();
  expect(text()).toContain('Reading the workflows…');
  expect(text()).not.toContain(texts.none);
  respond({ failure });
  await waitFor(() => expect(text()).toContain('The archive of workflows could not be read: no connection.'));
  expect(text()).not.toContain(texts.none);
  expect(text()).not.toContain('Reading the workflows…');
  unmount();
});

it('the utilization page reports a failure of the event manager and offers a retry', async () => {
  const { page, unmount } = openPage();
  await waitFor(() => expect(page.getAllByRole('button', { name: commonTexts.retryNow })).toHaveLength(1));
  expect(page.getAllByText('No usable answer from the Event Manager: no connection.')).toHaveLength(1);
  expect(page.queryByText('By period')).toBeNull();
  unmount();
});

it('the utilization page names invalid workflows of the archive', async () => {
  const { text, waitForRequests, respond, unmount } = openPage();
  await waitForRequests();
  respond({ rows: [] }, { end: true, rest: [], invalid: [{ name: 'ODD', reason: 'status: invalid' }] });
  await waitFor(() => expect(text()).toContain(feedbackTexts.invalidRecords.title(1)));
  expect(text()).toContain('ODD');
  unmount();
});

it('the utilization page reports an empty archive', async () => {
  const { text, waitForRequests, respond, unmount } = openPage();
  await waitForRequests();
  respond({ rows: [] }, { end: true, rest: [], invalid: [] });
  await waitFor(() => expect(text().split(texts.none)).toHaveLength(3));
  unmount();
});

it('the utilization page names the managers that the lab does not have', async () => {
  respondAsManagers({});
  const { page, unmount } = mountComponent(UtilizationPage);
  await waitFor(() => expect(page.getAllByText('The lab has no event manager to report it.')).toHaveLength(1));
  expect(
    page.getAllByText('The lab has no workcell manager, so there are no workflows to count.', { exact: false }),
  ).toHaveLength(2);
  expect(page.queryByText(texts.none)).toBeNull();
  unmount();
});
