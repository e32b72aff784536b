import { afterEach, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { commonTexts } from '../../base/texts.ts';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import OutdatedPage from './OutdatedPage.vue';

const change = { from: '0.1.0', to: '0.2.0' };
afterEach(() => sessionStorage.clear());

it('an outdated page names the version of the service and reloads when its button is pressed', async () => {
  const reload = vi.fn();
  const { page } = mountComponent(OutdatedPage, { change, isUnattended: false, reload });
  expect(page.getByRole('status').textContent).toContain(
    'The lab manager’s version has changed since this page was loaded: it is now 0.2.0. Reload the page to use it; input that is not sent is lost.',
  );
  expect(reload).not.toHaveBeenCalled();
  await click(page.getByRole('button', { name: commonTexts.reload }));
  expect(reload).toHaveBeenCalledOnce();
});

it('an outdated page reloads itself once it is unattended', async () => {
  const reload = vi.fn();
  const { setProps } = mountComponent(OutdatedPage, { change, isUnattended: false, reload });
  expect(reload).not.toHaveBeenCalled();
  await setProps({ change, isUnattended: true, reload });
  expect(reload).toHaveBeenCalledOnce();
});

it.each(['dialog', 'alertdialog'])('an unattended outdated page waits until an open %s is closed', async (role) => {
  const reload = vi.fn();
  const dialog = document.createElement('div');
  dialog.setAttribute('role', role);
  const overlays = document.createElement('div');
  overlays.append(dialog);
  document.body.append(overlays);
  mountComponent(OutdatedPage, { change, isUnattended: true, reload });
  overlays.append(document.createElement('p'));
  await nextTick();
  expect(reload).not.toHaveBeenCalled();
  dialog.remove();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

it('an unattended page reloads once if servers of two versions take turns behind its address', () => {
  const reload = vi.fn();
  const changes = [change, { from: '0.2.0', to: '0.1.0' }, change];
  for (const next of changes) mountComponent(OutdatedPage, { change: next, isUnattended: true, reload });
  expect(reload).toHaveBeenCalledOnce();
  mountComponent(OutdatedPage, { change: { from: '0.2.0', to: '0.3.0' }, isUnattended: true, reload });
  expect(reload).toHaveBeenCalledTimes(2);
});
