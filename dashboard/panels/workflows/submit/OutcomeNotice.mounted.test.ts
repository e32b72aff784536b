import { defineComponent, h, nextTick, ref } from 'vue';
import { describe, expect, it, vi } from 'vitest';
import { ManagerError } from '#api/client/managerError.ts';
import workcellState from '#api/samples/workcell_state.json' with { type: 'json' };
import { noSuggestions } from '#dashboard/components/form/suggestion.ts';
import { respondAsManagers } from '#dashboard/fixtures/managerResponses.ts';
import { click, fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleWorkflow } from '#dashboard/fixtures/sampleWorkflow.ts';
import { useActiveWorkflows, useArchivedWorkflows } from '#dashboard/managers/workcell/workcellQueries.ts';
import { emptyKnowledge, type SubmitLab } from '../definition/labKnowledge.ts';
import { writeLost } from './drafts/draftStorage.ts';
import SubmitPage from './SubmitPage.vue';
import { submitTexts } from './texts.ts';

const facts = { manager: 'workcell', endpoint: 'startWorkflow', purpose: 'start', address: 'http://lab/' } as const;
const responding = { isResponding: true, reason: '' };
const lab: SubmitLab = {
  available: ref(true),
  suggestions: () => ref(noSuggestions),
  readKnowledge: async () => ({ ...emptyKnowledge, workcell: responding, location: responding, data: responding }),
  readTransfers: async () => ({ transfers: {}, contents: {} }),
  submit: async () => Promise.reject(new ManagerError({ ...facts, kind: 'timeout', reason: 'no answer' })),
  readWorkflow: async () => Promise.reject(new Error('unexpected request')),
};

const draft = {
  text: 'name: My workflow\nsteps:\n  - {name: Wait, action: wait, args: {seconds: 1}}\n',
  savedAt: 1,
};

it('the page calls no submission missing before it has read both lists after it', async () => {
  let answerArchive = (): void => undefined;
  const archive = new Promise<object>((resolve) => (answerArchive = () => resolve({})));
  let [hasEnded, countAtEnd] = [false, 0];
  const requests = respondAsManagers({
    workcell: ({ path }) => {
      if (path === '/state') return { ...workcellState, workflow_queue: [], nodes: {} };
      if (path === '/workflows/archived') return hasEnded ? archive : {};
      return path === '/workflows/active' ? {} : undefined;
    },
  });
  const readCount = () => requests.filter(({ path }) => path === '/workflows/archived').length;
  // Both lists are read while the submission is on its way.
  const submit = async (): Promise<never> => {
    await vi.waitFor(() => expect([lists.active(), lists.archived()]).toEqual([true, true]));
    [hasEnded, countAtEnd] = [true, readCount()];
    throw new ManagerError({ ...facts, kind: 'timeout', reason: 'no answer' });
  };
  const lists = { active: () => false, archived: () => false };
  localStorage.setItem('lab-manager.workflow-draft', JSON.stringify(draft));
  const { page } = mountComponent(
    defineComponent(() => {
      const [active, archived] = [useActiveWorkflows(), useArchivedWorkflows(50)];
      lists.active = () => active.receivedAt.value !== null;
      lists.archived = () => archived.receivedAt.value !== null;
      return () => h(SubmitPage, { lab: { ...lab, submit } });
    }),
  );
  await click(page.getByRole('button', { name: submitTexts.submit }));
  await page.findByText('The lists of active and archived workflows are stale: it is unknown whether it was started.');
  await vi.waitFor(() => expect(readCount()).toBeGreaterThan(countAtEnd));
  page.getByText('The lists of active and archived workflows are stale: it is unknown whether it was started.');
  answerArchive();
  await page.findByText('No workflow “My workflow” is in the list of active workflows or in the archive since then.');
});

it('the page names a submission that may have started, and is disabled until the user has checked it', async () => {
  const started = sampleWorkflow({ name: 'My workflow', submitted_time: null });
  respondAsManagers({
    workcell: ({ path }) => {
      if (path === '/state') return { ...workcellState, workflow_queue: [started], nodes: {} };
      return path === '/workflows/active' ? { [started.workflow_id]: started } : undefined;
    },
  });
  localStorage.setItem('lab-manager.workflow-draft', JSON.stringify(draft));
  const { page } = mountComponent(SubmitPage, { lab });
  await click(page.getByRole('button', { name: submitTexts.submit }));
  const link = await vi.waitFor(() => page.getByRole('link', { name: /My workflow/ }));
  expect(link.getAttribute('href')).toBe(`/workflows/${started.workflow_id}`);
  expect(
    page.getAllByText('The submitted definition is shown below and can’t be changed until you have checked.'),
  ).toHaveLength(1);
  const layout = document.querySelector('.layout');
  expect(layout?.hasAttribute('inert')).toBe(true);
  await click(page.getByRole('button', { name: 'It was not started: unlock the form' }));
  expect(layout?.hasAttribute('inert')).toBe(false);
});

it('a submission that has left the active workflows stays listed, and the archive is read again', async () => {
  const started = sampleWorkflow({ name: 'My workflow', submitted_time: null });
  let active: object = { [started.workflow_id]: started };
  const requests = respondAsManagers({
    workcell: ({ path }) => {
      if (path === '/state') return { ...workcellState, workflow_queue: [], nodes: {} };
      if (path === '/workflows/archived') return {};
      return path === '/workflows/active' ? active : undefined;
    },
  });
  const readCount = () => requests.filter(({ path }) => path === '/workflows/archived').length;
  let readActive = async (): Promise<unknown> => undefined;
  localStorage.setItem('lab-manager.workflow-draft', JSON.stringify(draft));
  const { page } = mountComponent(
    defineComponent(() => {
      readActive = useActiveWorkflows().refresh;
      return () => h(SubmitPage, { lab });
    }),
  );
  await click(page.getByRole('button', { name: submitTexts.submit }));
  await page.findByRole('link', { name: /My workflow/ });
  active = {};
  const countBefore = readCount();
  await readActive();
  await vi.waitFor(() => expect(readCount()).toBeGreaterThan(countBefore));
  page.getByRole('link', { name: /My workflow/ });
  expect(
    page.queryByText('No workflow “My workflow” is in the list of active workflows or in the archive since then.'),
  ).toBeNull();
});

describe('the page that is opened from a workflow', () => {
  const parameters = { json_inputs: [{ key: 'unit', default: 'bytes' }] };
  const source = sampleWorkflow({ name: 'Counts', parameters, parameter_values: { unit: 'letters' } });
  const readWorkflow = vi.fn(async () => source);

  async function openFromWorkflow() {
    const bodies: Readonly<Record<string, unknown>> = {
      '/state': { ...workcellState, workflow_queue: [], nodes: {} },
      '/workflows/active': {},
      '/workflows/archived': {},
    };
    respondAsManagers({ workcell: ({ path }) => bodies[path] });
    const isOpen = ref(false);
    const mounted = mountComponent(
      defineComponent(() => () => (isOpen.value ? h(SubmitPage, { lab: { ...lab, readWorkflow } }) : null)),
    );
    await mounted.router.push({ path: '/workflows/submit', query: { from: source.workflow_id, experiment: 'E' } });
    isOpen.value = true;
    return { ...mounted, isOpen };
  }

  it('restores what the user has entered since, when it is loaded again', async () => {
    localStorage.clear();
    const { page, router, isOpen } = await openFromWorkflow();
    await page.findByText(submitTexts.fromWorkflow('Counts', false));
    await vi.waitFor(() => expect(router.currentRoute.value.query).toEqual({ experiment: 'E' }));
    const field = await page.findByLabelText('unit');
    expect(field).toHaveProperty('value', 'letters');
    await fill(field, 'words');
    isOpen.value = false;
    await nextTick();
    isOpen.value = true;
    expect(await page.findByLabelText('unit')).toHaveProperty('value', 'words');
    expect(readWorkflow).toHaveBeenCalledOnce();
  });

  it('stays disabled with a submission that may have started before it was loaded again', async () => {
    localStorage.setItem('lab-manager.workflow-draft', JSON.stringify(draft));
    writeLost(localStorage, { name: 'My workflow', at: Date.now(), text: 'The response was lost.' });
    readWorkflow.mockClear();
    const { page } = await openFromWorkflow();
    const unlock = await page.findByRole('button', { name: 'It was not started: unlock the form' });
    // Reading the workflow would have begun by now.
    await new Promise((resolve) => setTimeout(resolve));
    expect(document.querySelector('.layout')?.hasAttribute('inert')).toBe(true);
    expect(readWorkflow).not.toHaveBeenCalled();
    await click(unlock);
  });
});
