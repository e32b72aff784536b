/** A command that is cancelled while it is being sent may still be executed, but does not navigate to another page. */
import { fireEvent } from '@testing-library/dom';
import { defineComponent, h, nextTick, type Component } from 'vue';
import { afterEach, expect, it, vi } from 'vitest';
import { respondAsResourceManager, sampleResource } from '../../../fixtures/resourceResponses.ts';
import { fill, mountComponent } from '../../../fixtures/mounted.ts';
import { useOutcomes } from '../../../managers/commands/outcomes.ts';
import TemplateDialog from '../templates/TemplateDialog.vue';
import { templateTexts } from '../templates/texts.ts';
import { resourcesTexts } from '../texts.ts';
import AddDialog from './AddDialog.vue';

afterEach(() => void vi.unstubAllGlobals());

const cases: readonly (readonly [string, Component, Record<string, unknown>, string])[] = [
  ['a new resource', AddDialog, {}, resourcesTexts.adding.name],
  ['a new template', TemplateDialog, { mode: 'new' }, templateTexts.fields.name],
];

async function submitDialog(dialog: Component, props: Record<string, unknown>, name: string) {
  let respond = (_body: unknown): void => undefined;
  const later = new Promise<unknown>((resolve) => (respond = resolve));
  const responses = respondAsResourceManager({ respondToOther: () => later });
  const reported = { all: (): string => '' };
  const host = defineComponent({
    props: { open: { type: Boolean, default: true } },
    setup(input) {
      const outcomes = useOutcomes();
      reported.all = () => outcomes.list.map(({ state }) => state).join();
      return () => (input.open ? h(dialog, props) : null);
    },
  });
  const mounted = mountComponent(host);
  const push = vi.spyOn(mounted.router, 'push');
  // By then the manager's address is available.
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
    reported,
    respond: () => respond(sampleResource('ONE', { resource_name: 'one', template_name: 'one' })),
  };
}
async function waitForReport(reported: { all: () => string }): Promise<void> {
  await vi.waitFor(() => expect(reported.all()).toBe('done'));
  for (let tick = 0; tick < 5; tick += 1) await nextTick();
}

it.each(cases)('%s is opened once it exists', async (_what, dialog, props, name) => {
  const { push, reported, respond } = await submitDialog(dialog, props, name);
  respond();
  await waitForReport(reported);
  expect(push).toHaveBeenCalledOnce();
});

it.each(cases)('%s that was cancelled while it was sent is not opened', async (_what, dialog, props, name) => {
  const { push, reported, respond, setProps } = await submitDialog(dialog, props, name);
  await setProps({ open: false });
  respond();
  await waitForReport(reported);
  expect(push).not.toHaveBeenCalled();
});
