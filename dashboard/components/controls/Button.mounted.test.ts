import { h, nextTick } from 'vue';
import { describe, expect, it, vi } from 'vitest';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import Button from './Button.vue';

function mountButton(props: Record<string, unknown>) {
  const onClick = vi.fn<() => void>();
  const onRefused = vi.fn<(reason: string) => void>();
  const mounted = mountComponent(Button, { onClick, onRefused, ...props }, { default: () => [h('span', 'Pause')] });
  return { ...mounted, onClick, onRefused };
}

describe('a button', () => {
  it('emits a click', async () => {
    const { page, onClick } = mountButton({});
    const element = page.getByRole('button', { name: 'Pause' });
    await click(element);
    expect(onClick).toHaveBeenCalledTimes(1);
    expect(element.getAttribute('type')).toBe('button');
  });

  it('shows its reason while it is blocked, keeps the focus and emits “refused” when pressed', async () => {
    const { page, onClick, onRefused } = mountButton({ blocked: 'It is paused.', hint: 'Holds the queue' });
    const element = page.getByRole('button', { name: 'Pause' });
    element.focus();
    expect(document.activeElement).toBe(element);
    expect([element.getAttribute('aria-disabled'), element.title]).toEqual(['true', 'It is paused.']);
    await click(element);
    expect(onClick).not.toHaveBeenCalled();
    expect(onRefused).toHaveBeenCalledWith('It is paused.');
  });

  it('shows the reason as text when it is pressed while blocked, until it loses the focus', async () => {
    const { page } = mountComponent(Button, { blocked: 'It is paused.' }, { default: () => [h('span', 'Pause')] });
    const element = page.getByRole('button', { name: 'Pause' });
    await click(element);
    await vi.waitFor(() => expect(document.querySelector('[role=status]')?.textContent).toBe('It is paused.'));
    element.dispatchEvent(new FocusEvent('blur'));
    await nextTick();
    expect(document.querySelector('[role=status]')).toBeNull();
  });

  it('ignores clicks while it is busy', async () => {
    const { page, onClick, setProps } = mountButton({ busy: true });
    await click(page.getByRole('button'));
    expect(onClick).not.toHaveBeenCalled();
    await setProps({ busy: false });
    await click(page.getByRole('button'));
    expect(onClick).toHaveBeenCalledTimes(1);
  });

  it('does not submit its form while it is blocked', async () => {
    const { page } = mountButton({ type: 'submit', blocked: 'Not now.' });
    const clickEvent = new MouseEvent('click', { bubbles: true, cancelable: true });
    page.getByRole('button').dispatchEvent(clickEvent);
    await nextTick();
    expect(clickEvent.defaultPrevented).toBe(true);
  });

  it('is a link when it has a target, unless it is blocked', async () => {
    const { page, setProps } = mountButton({ to: '/workflows' });
    expect(page.getByRole('link', { name: 'Pause' }).getAttribute('href')).toBe('/workflows');
    await setProps({ blocked: 'Not now.' });
    expect(page.queryByRole('link')).toBeNull();
    expect(page.getByRole('button', { name: 'Pause' }).title).toBe('Not now.');
  });
});
