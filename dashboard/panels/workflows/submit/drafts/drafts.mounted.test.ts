import { ref } from 'vue';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Workflow } from '#api/managers/workflow.ts';
import { runInComponent } from '#dashboard/fixtures/mounted.ts';
import { noSuggestions } from '#dashboard/components/form/suggestion.ts';
import { emptyKnowledge, type SubmitLab } from '../../definition/labKnowledge.ts';
import { emptyDefinition } from './examples.ts';
import { useSubmission } from '../useSubmission.ts';

const waitDefinition = 'name: Wait for it\nsteps:\n  - name: Wait\n    action: wait\n    args:\n      seconds: 1\n';
const promptDefinition =
  'name: Count\nparameters:\n  json_inputs:\n    - key: pause\nsteps:\n  - {name: Wait, action: wait, use_parameters: {args: {seconds: pause}}}\n';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 15, 12, 0, 0) }));
afterEach(() => void vi.useRealTimers());

const respondingLab = {
  ...emptyKnowledge,
  workcell: { isResponding: true, reason: '' },
  location: { isResponding: true, reason: '' },
  data: { isResponding: true, reason: '' },
};
const lab = (
  submit: SubmitLab['submit'] = async () => ({ workflow_id: 'W', name: 'Wait for it' }) as Workflow,
): SubmitLab => ({
  available: ref(true),
  suggestions: () => ref(noSuggestions),
  readKnowledge: async () => respondingLab,
  readTransfers: async () => ({ transfers: {}, contents: {} }),
  submit,
  readWorkflow: async () => Promise.reject(new Error('unexpected request')),
});

/** Returns the page's state at the start of a visit; unmounting simulates a reload. */
async function visit(submitLab = lab()) {
  const { result, unmount } = runInComponent(() => useSubmission(submitLab));
  await vi.advanceTimersByTimeAsync(1);
  const write = async (text: string) => {
    result.text.value = text;
    await vi.advanceTimersByTimeAsync(3000);
  };
  return { page: result, write, leave: unmount };
}

describe('the draft of the submit page', () => {
  it('does not exist at the first visit, which starts with an example', async () => {
    const { page } = await visit();
    expect(page.text.value).toBe(emptyDefinition);
    expect(page.notice.value).toBe('');
  });

  it('is restored after a reload with the time of its last save', async () => {
    const first = await visit();
    await first.write(waitDefinition);
    first.leave();
    const { page } = await visit();
    expect(page.text.value).toBe(waitDefinition);
    expect(page.notice.value).toMatch(/^Your draft from .* was restored/);
  });

  it('contains the text that was typed just before the page closes', async () => {
    const first = await visit();
    first.page.text.value = waitDefinition;
    await vi.advanceTimersByTimeAsync(1);
    window.dispatchEvent(new Event('pagehide'));
    first.leave();
    expect((await visit()).page.text.value).toBe(waitDefinition);
  });

  it('is removed by a submission, except for the author', async () => {
    const first = await visit();
    first.page.author.value = 'Grace Hopper';
    await first.write(waitDefinition);
    await first.page.submit(false);
    expect(first.page.sending.value.phase).toBe('done');
    first.leave();
    const { page } = await visit();
    expect(page.text.value).toBe(emptyDefinition);
    expect(page.author.value).toBe('Grace Hopper');
  });

  it('is preserved when the submission fails', async () => {
    const first = await visit(lab(async () => Promise.reject(new Error('no connection'))));
    await first.write(waitDefinition);
    await first.page.submit(true);
    expect(first.page.sending.value.phase).toBe('failed');
    await vi.advanceTimersByTimeAsync(3000);
    first.leave();
    expect((await visit()).page.text.value).toBe(waitDefinition);
  });

  it('can be restored after another definition replaced it', async () => {
    const { page, write } = await visit();
    await write(waitDefinition);
    page.replace(promptDefinition);
    expect(page.text.value).toBe(promptDefinition);
    page.undoReplace();
    expect(page.text.value).toBe(waitDefinition);
  });

  it('has the form fields of the current definition only', async () => {
    const { page, write } = await visit();
    await write(promptDefinition);
    expect(page.fields.value.map(({ name }) => name)).toEqual(['pause']);
    page.replace(waitDefinition);
    expect(page.fields.value).toEqual([]);
    expect(page.form.value.value.args).toEqual({});
  });
});
