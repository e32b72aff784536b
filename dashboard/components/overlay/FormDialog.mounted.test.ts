import { fireEvent, waitFor } from '@testing-library/dom';
import { computed, defineComponent, h, nextTick, ref } from 'vue';
import ObjectPage from '../page/ObjectPage.vue';
import { expect, it } from 'vitest';
import { createLiveQuery } from '../../fixtures/liveQuery.ts';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import { componentTexts } from '../texts.ts';
import { commonTexts } from '../../base/texts.ts';
import FormDialog from './FormDialog.vue';

const title = 'Set quantity';
const action = 'Save';

async function openDialog(overrides: Record<string, unknown> = {}) {
  const emitted: string[] = [];
  const { page, router } = mountComponent(
    defineComponent(
      () => () =>
        h(
          FormDialog,
          { title, action, ...overrides, onSubmit: () => emitted.push('submit'), onClose: () => emitted.push('close') },
          { default: () => h('input', { 'aria-label': 'Quantity' }), outcome: () => h('p', 'refused') },
        ),
    ),
  );
  const dialog = await waitFor(() => page.getByRole('dialog', { name: title }));
  const form = dialog.querySelector('form')!;
  return { page, router, dialog, form, emitted };
}

it('a form dialog shows its outcome between its fields and its buttons', async () => {
  const { form } = await openDialog();
  expect([...form.children].map((child) => child.textContent)).toEqual([
    title,
    '',
    'refused',
    commonTexts.cancel + action,
  ]);
});

it('a form dialog emits “submit” when its form is submitted, and “close” on Cancel and on Escape', async () => {
  const { page, dialog, form, emitted } = await openDialog();
  await fireEvent.submit(form);
  await click(page.getByRole('button', { name: commonTexts.cancel }));
  await fireEvent.keyDown(dialog, { key: 'Escape' });
  expect(emitted).toEqual(['submit', 'close', 'close']);
});

it('a form dialog requires confirmation before Escape discards typed text', async () => {
  const { page, dialog, emitted } = await openDialog();
  await fireEvent.input(page.getByRole('textbox', { name: 'Quantity' }), { target: { value: '7' } });
  const escape = () => fireEvent.keyDown(dialog, { key: 'Escape' });
  await escape();
  await waitFor(() => expect(page.getAllByText(commonTexts.unsaved)).toHaveLength(1));
  await click(page.getByRole('button', { name: commonTexts.continueEditing }));
  expect(page.queryByText(commonTexts.unsaved)).toBeNull();
  expect(page.getAllByRole('button', { name: action })).toHaveLength(1);
  await escape();
  await waitFor(() => expect(page.getAllByText(commonTexts.unsaved)).toHaveLength(1));
  expect(emitted).toEqual([]);
  await click(page.getByRole('button', { name: commonTexts.discard }));
  expect(emitted).toEqual(['close']);
});

it('a form dialog without an action only has a close button', async () => {
  const { page } = await openDialog({ action: undefined, closeLabel: commonTexts.close });
  expect(page.getAllByRole('button').map((button) => button.textContent?.trim())).toEqual([commonTexts.close]);
});

it('a form dialog shows why it can’t be submitted', async () => {
  const { page } = await openDialog({ blocked: 'The manager does not answer.' });
  expect(page.getByRole('button', { name: action }).title).toBe('The manager does not answer.');
});

it('a form dialog focuses its first text field, not a checkbox before it, and selects a number', async () => {
  const { page } = mountComponent(
    defineComponent(
      () => () =>
        h(FormDialog, { title, action }, () => [
          h('button', { type: 'button' }, 'Set to'),
          h('input', { type: 'checkbox' }),
          h('input', { 'aria-label': 'Quantity', inputmode: 'decimal', value: '40' }),
        ]),
    ),
  );
  const field = await waitFor(() => page.getByLabelText<HTMLInputElement>('Quantity'));
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 2]);
});

it('typed text stops a navigation until it is discarded', async () => {
  const { page, router, emitted } = await openDialog();
  await router.push('/elsewhere?first');
  await fireEvent.input(page.getByRole('textbox', { name: 'Quantity' }), { target: { value: '7' } });
  const leave = () => router.push('/other');
  let left = leave();
  await waitFor(() => expect(page.getAllByText(commonTexts.unsaved)).toHaveLength(1));
  await click(page.getByRole('button', { name: commonTexts.continueEditing }));
  await left;
  expect(router.currentRoute.value.path).toBe('/elsewhere');
  const unload = new Event('beforeunload', { cancelable: true });
  globalThis.dispatchEvent(unload);
  expect(unload.defaultPrevented).toBe(true);
  left = leave();
  await waitFor(() => expect(page.getAllByText(commonTexts.unsaved)).toHaveLength(1));
  await click(page.getByRole('button', { name: commonTexts.discard }));
  await left;
  expect(router.currentRoute.value.path).toBe('/other');
  expect(emitted).toEqual(['close']);
});

it('a dialog that disappears with the question does not hold the navigation', async () => {
  const isOpen = ref(true);
  const { page, router } = mountComponent(
    defineComponent(
      () => () =>
        isOpen.value ? h(FormDialog, { title, action }, () => h('input', { 'aria-label': 'Quantity' })) : null,
    ),
  );
  await waitFor(() => page.getByRole('dialog', { name: title }));
  await router.push('/elsewhere');
  await fireEvent.input(page.getByRole('textbox', { name: 'Quantity' }), { target: { value: '7' } });
  const left = router.push('/other');
  await waitFor(() => expect(page.getAllByText(commonTexts.unsaved)).toHaveLength(1));
  isOpen.value = false;
  await left;
  expect(router.currentRoute.value.path).toBe('/other');
});

it('typed text that is being sent stays when its object disappears', async () => {
  const isBusy = ref(false);
  const object = ref<string | null>('A');
  const { page } = mountComponent(
    defineComponent(
      () => () =>
        h(
          ObjectPage,
          {
            title: 'A',
            trail: [],
            live: createLiveQuery({ data: computed(() => ({})), receivedAt: computed(() => 1) }),
            object: object.value,
            missing: { title: 'No object with this ID', body: '', link: { title: '', to: '/' } },
            noAddress: '',
            loadingText: '',
          } as never,
          {
            default: () =>
              h(FormDialog, { title, action, busy: isBusy.value, onSubmit: () => void (isBusy.value = true) }, () =>
                h('input', { 'aria-label': 'Quantity' }),
              ),
          },
        ),
    ),
  );
  const dialog = await waitFor(() => page.getByRole('dialog', { name: title }));
  await fireEvent.input(page.getByRole('textbox', { name: 'Quantity' }), { target: { value: '7' } });
  await fireEvent.submit(dialog.querySelector('form')!);
  await nextTick();
  object.value = null;
  await nextTick();
  expect(page.getByRole<HTMLInputElement>('textbox', { name: 'Quantity' }).value).toBe('7');
  isBusy.value = false;
  await nextTick();
  await waitFor(() => expect(page.getAllByText(componentTexts.object.removed('A'))).toHaveLength(1));
});
