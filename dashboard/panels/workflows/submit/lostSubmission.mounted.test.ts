/** After a lost response the form stays frozen, even after a reload. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { computed } from 'vue';
import { ManagerError } from '#api/client/managerError.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { runInComponent } from '#dashboard/fixtures/mounted.ts';
import { emptyKnowledge, type SubmitLab } from '../definition/labKnowledge.ts';
import { readLost } from './drafts/draftStorage.ts';
import { useSubmission } from './useSubmission.ts';

beforeEach(() => localStorage.clear());
afterEach(() => void vi.useRealTimers());

const lostAnswer = () =>
  Promise.reject<Workflow>(
    new ManagerError({
      kind: 'timeout',
      manager: 'workcell',
      endpoint: 'startWorkflow',
      purpose: 'start the workflow',
      address: 'http://lab:8005/',
      reason: 'timed out',
    }),
  );
function openPage(submit: () => Promise<Workflow>) {
  const sendSubmission = vi.fn(submit);
  const lab = {
    available: computed(() => true),
    readKnowledge: async () => emptyKnowledge,
    readTransfers: async () => ({}),
    submit: sendSubmission,
  } as unknown as SubmitLab;
  const { result, unmount } = runInComponent(() => useSubmission(lab));
  return { submission: result, sendSubmission, unmount };
}
const text = 'name: Growth\nsteps:\n  - {name: wait, key: wait, action: wait, args: {seconds: 1}}\n';

it('a submission without a response stays frozen after a reload until the user has checked it', async () => {
  const first = openPage(lostAnswer);
  first.submission.replace(text);
  await first.submission.submit(true);
  expect(first.submission.isUnclear.value).toBe(true);
  first.unmount();
  const second = openPage(lostAnswer);
  expect(second.submission.isUnclear.value).toBe(true);
  expect(second.submission.sending.value).toMatchObject({ phase: 'failed', submission: { name: 'Growth' } });
  await second.submission.submit(true);
  expect(second.sendSubmission).not.toHaveBeenCalled();
  second.submission.clear();
  second.unmount();
  expect(openPage(lostAnswer).submission.isUnclear.value).toBe(false);
});

it('a submission that was pending when the page closed is unclear after a reload', async () => {
  const { submission, unmount } = openPage(() => new Promise(() => undefined));
  submission.replace(text);
  void submission.submit(true);
  await vi.waitFor(() => expect(submission.sending.value.phase).toBe('sending'));
  window.dispatchEvent(new Event('pagehide'));
  unmount();
  const { submission: next } = openPage(lostAnswer);
  expect(next.sending.value).toMatchObject({
    failure: {
      kind: 'unclear',
      text: 'The page was left or reloaded before the workcell manager answered: the workflow may have been started.',
    },
  });
});

it('a lost submission is dropped after a day, and an invalid record is ignored', () => {
  const at = Date.UTC(2026, 10, 25);
  const key = 'lab-manager.workflow-lost';
  localStorage.setItem(key, JSON.stringify({ name: 'Growth', at, words: 'Lost.' }));
  expect(readLost(localStorage, at + 23 * 3_600_000)).toMatchObject({ name: 'Growth' });
  expect(readLost(localStorage, at + 25 * 3_600_000)).toBeNull();
  for (const odd of ['', 'x', '[]', '{"name": 3}']) {
    localStorage.setItem(key, odd);
    expect(readLost(localStorage, at)).toBeNull();
  }
});
