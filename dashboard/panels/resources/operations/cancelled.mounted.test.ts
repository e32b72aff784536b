/** A command that is cancelled while it is being sent may still be executed, but does not navigate to another page. */
import { fireEvent } from '@testing-library/dom';
import { defineComponent, h, nextTick, type Component } from 'vue';
import { expect, it, vi } from 'vitest';
import { respondAsResourceManager, sampleResource } from '#dashboard/fixtures/resourceResponses.ts';
import { fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { useOutcomes } from '#dashboard/managers/commands/outcomes.ts';
import TemplateDialog from '../templates/TemplateDialog.vue';
import { templateTexts, resourcesTexts } from '../texts.ts';
import AddDialog from './AddDialog.vue';

const cases: readonly (readonly [string, Component, Record<string, unknown>, string])[] = [
  ['a new resource', AddDialog, {}, resourcesTexts.adding.name],
  ['a new template', TemplateDialog, { mode: 'new' }, templateTexts.fields.name],
];

async function submitDialog(dialog: Component, props: Record<string, unknown>, name: string) {
  let respond = (_body: unknown): void => undefined;
  const pendingResponse = new Promise<unknown>((resolve) => (respond = resolve));
  const responses = respondAsResourceManager({ respondToOther: () => pendingResponse });
  const outcomeStates = { read: (): string => '' };
  const host = defineComponent({
    props: { open: { type: Boolean, default: true } },
    setup(input) {
      const outcomes = useOutcomes();
      outcomeStates.read = () => outcomes.list.map(({ state }) => state).join();
      return () => (input.open ? h(dialog, props) : null);
    },
  });
  const mounted = mountComponent(host);
  const push = vi.spyOn(mounted.router, 'push');
  // The manager's address is available after the first request.
  await vi.waitFor(() =>
    expect(fetch).toHaveBeenCalledWith(expect.stringContaining('/templates/query_all'), expect.anything()),
  );
  const field = await vi.waitFor(() => mounted.page.getByLabelText<HTMLInputElement>(name, { selector: 'input' }));
  await fill(field, 'one');
  const form = field.closest('form');
  if (form === null) throw new Error('The field is in no form.');
  fireEvent.submit(form);
  await vi.waitFor(() => expect(responses.requests).toHaveLength(1));
  return {
    ...mounted,
    push,
    outcomeStates,
    respond: () => respond(sampleResource('ONE', { resource_name: 'one', template_name: 'one' })),
  };
}
async function waitForReport(outcomeStates: { read: () => string }): Promise<void> {
  await vi.waitFor(() => expect(outcomeStates.read()).toBe('done'));
  for (let tick = 0; tick < 5; tick += 1) await nextTick();
}

it.each(cases)('the page of %s is opened once the manager has confirmed it', async (_what, dialog, props, name) => {
  const { push, outcomeStates, respond } = await submitDialog(dialog, props, name);
  respond();
  await waitForReport(outcomeStates);
  expect(push).toHaveBeenCalledOnce();
});

it.each(cases)(
  'the page of %s is not opened when the dialog was closed before the response',
  async (_what, dialog, props, name) => {
    const { push, outcomeStates, respond, setProps } = await submitDialog(dialog, props, name);
    await setProps({ open: false });
    respond();
    await waitForReport(outcomeStates);
    expect(push).not.toHaveBeenCalled();
  },
);
