import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createApp, defineComponent, h } from 'vue';
import { useUi } from '../base/ui.ts';
import { commonTexts } from '../base/texts.ts';
import { mountComponent, runInComponent } from '../fixtures/mounted.ts';
import { installErrorHandlers } from './faults.ts';
import PanelBoundary from './PanelBoundary.vue';
import { appTexts } from './texts.ts';

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

/** Vite's error for a style sheet of the previous version, after its event. */
function createLoadFailure(): Error {
  const failure = new Error('Unable to preload CSS for http://lab-pc:8000/assets/ShellNotices-CQ8n1X2a.css');
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: failure }));
  return failure;
}

it('a part that fails to load is reported without the address of its file', async () => {
  const { result: ui, router } = runInComponent(() => useUi());
  const app = createApp({});
  installErrorHandlers(app, router);
  app.config.errorHandler?.(createLoadFailure(), null, '');
  expect(ui.fault).toBe(appTexts.app.cannotLoadPart);
  app.config.errorHandler?.(new Error('no such node'), null, '');
  expect(ui.fault).toBe('An error occurred on this page: no such node');
});

it('a panel whose part fails to load offers to reload the page', async () => {
  const failure = createLoadFailure();
  const Failing = defineComponent(() => {
    throw failure;
  });
  const { page } = mountComponent(PanelBoundary, {}, { default: () => [h(Failing)] });
  expect((await page.findByText(appTexts.app.cannotLoadPart)).textContent).not.toContain('.css');
  expect(page.getAllByRole('button').map(({ textContent }) => textContent?.trim())).toEqual([commonTexts.reload]);
});
