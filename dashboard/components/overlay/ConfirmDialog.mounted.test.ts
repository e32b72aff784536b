import { fireEvent } from '@testing-library/dom';
import { h, nextTick, ref } from 'vue';
import { describe, expect, it, vi } from 'vitest';
import { click, mountComponent, press } from '../../fixtures/mounted.ts';
import { componentTexts } from '../texts.ts';
import ConfirmDialog from './ConfirmDialog.vue';

const texts = componentTexts.confirm;

/** The confirmation “Stop it?”, open, with its impact. */
async function openDialog(props: Record<string, unknown> = {}) {
  const open = ref(true);
  const confirmed = vi.fn();
  const mounted = mountComponent({
    render: () =>
      h(
        ConfirmDialog,
        {
          modelValue: open.value,
          'onUpdate:modelValue': (isOpen: boolean) => (open.value = isOpen),
          title: 'Stop it?',
          action: 'Stop all',
          onConfirm: confirmed,
          ...props,
        },
        { default: () => 'Two nodes will stop.' },
      ),
  });
  await vi.waitFor(() => mounted.page.getByRole('alertdialog', { name: 'Stop it?' }));
  return { ...mounted, open, confirmed, button: (name: string) => mounted.page.getByRole('button', { name }) };
}

describe('the confirmation dialog', () => {
  it('is named by its title and described by its content', async () => {
    const { page } = await openDialog();
    expect(page.getAllByRole('alertdialog', { name: 'Stop it?', description: 'Two nodes will stop.' })).toHaveLength(1);
  });

  it('focuses the back button, so that Enter without reading does nothing', async () => {
    const { button } = await openDialog();
    await vi.waitFor(() => expect(document.activeElement).toBe(button(texts.back)));
  });

  it('emits “confirm” from the button with the verb and stays open until its caller closes it', async () => {
    const { button, confirmed, open } = await openDialog();
    await click(button('Stop all'));
    expect(confirmed).toHaveBeenCalledOnce();
    expect(open.value).toBe(true);
  });

  it.each(['the back button', 'Escape'])('closes without confirming when %s is pressed', async (closingAction) => {
    const { button, confirmed, open } = await openDialog();
    if (closingAction === 'Escape') await press('Escape');
    else await click(button(texts.back));
    expect(open.value).toBe(false);
    expect(confirmed).not.toHaveBeenCalled();
  });

  it('shows why it is blocked and ignores a press of its button', async () => {
    const { page, button, confirmed } = await openDialog({ blocked: 'It has ended.' });
    expect(page.getAllByText('It has ended.')).toHaveLength(1);
    expect(button('Stop all').getAttribute('aria-disabled')).toBe('true');
    await click(button('Stop all'));
    expect(confirmed).not.toHaveBeenCalled();
  });

  it('ignores the second click of a double-click, which belongs to the confirmation before it', async () => {
    const { button, confirmed } = await openDialog();
    fireEvent.click(button('Stop all'), { detail: 2 });
    expect(confirmed).not.toHaveBeenCalled();
    fireEvent.click(button('Stop all'), { detail: 1 });
    expect(confirmed).toHaveBeenCalledOnce();
  });

  it('shows that it is busy and ignores a press of its button', async () => {
    const { button, confirmed } = await openDialog({ busy: true });
    const waiting = button('Stop all: sending…');
    expect(waiting.getAttribute('aria-busy')).toBe('true');
    await click(waiting);
    expect(confirmed).not.toHaveBeenCalled();
  });

  it('returns the focus to the element that had it before', async () => {
    const openerButton = document.createElement('button');
    document.body.append(openerButton);
    openerButton.focus();
    const { open } = await openDialog();
    await vi.waitFor(() => expect(document.activeElement).not.toBe(openerButton));
    open.value = false;
    await nextTick();
    await vi.waitFor(() => expect(document.activeElement).toBe(openerButton));
  });
});
