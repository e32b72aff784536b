import { expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { commonTexts } from '../../base/texts.ts';
import { click, mounted } from '../../fixtures/mounted.ts';
import OlderPage from './OlderPage.vue';
import { olderPageTexts } from '../texts.ts';

it('says that the service is of another version than the page, and loads it again when asked to', async () => {
  const reload = vi.fn();
  const { page } = mounted(OlderPage, { version: '0.2.0', kiosk: false, reload });
  expect(page.getByRole('status').textContent).toContain(olderPageTexts.another('0.2.0'));
  expect(reload).not.toHaveBeenCalled();
  await click(page.getByRole('button', { name: commonTexts.reload }));
  expect(reload).toHaveBeenCalledOnce();
});

it('loads itself on a wall screen', () => {
  const reload = vi.fn();
  mounted(OlderPage, { version: '0.2.0', kiosk: true, reload });
  expect(reload).toHaveBeenCalledOnce();
});

it.each(['dialog', 'alertdialog'])('waits on a wall screen until an open %s is closed', async (role) => {
  const reload = vi.fn();
  const dialog = document.createElement('div');
  dialog.setAttribute('role', role);
  const overlays = document.createElement('div');
  overlays.append(dialog);
  document.body.append(overlays);
  mounted(OlderPage, { version: '0.2.0', kiosk: true, reload });
  overlays.append(document.createElement('p'));
  await nextTick();
  expect(reload).not.toHaveBeenCalled();
  dialog.remove();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});
