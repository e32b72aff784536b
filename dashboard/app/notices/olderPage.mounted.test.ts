import { expect, it, vi } from 'vitest';
import { commonTexts } from '../../base/texts.ts';
import { click, mounted } from '../../fixtures/mounted.ts';
import OlderPage from './OlderPage.vue';
import { olderPageTexts } from './texts.ts';

it('says that the service is newer than the page, and loads it again when asked to', async () => {
  const reload = vi.fn();
  const { page } = mounted(OlderPage, { version: '0.2.0', kiosk: false, reload });
  expect(page.getByRole('status').textContent).toContain(olderPageTexts.updated('0.2.0'));
  expect(reload).not.toHaveBeenCalled();
  await click(page.getByRole('button', { name: commonTexts.reload }));
  expect(reload).toHaveBeenCalledOnce();
});

it('loads itself on a wall screen', () => {
  const reload = vi.fn();
  mounted(OlderPage, { version: '0.2.0', kiosk: true, reload });
  expect(reload).toHaveBeenCalledOnce();
});
