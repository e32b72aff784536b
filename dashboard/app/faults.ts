/** Handles uncaught errors of the page: logs them and shows a message instead of a blank page. */
import type { App } from 'vue';
import type { Router } from 'vue-router';
import { errorText } from '../../api/errorText.ts';
import { appTexts } from './texts.ts';
import { useUi } from '../base/ui.ts';

/**
 * Returns whether the event is the browser's harmless notice that it delivers a `ResizeObserver` notification in the
 * next frame.
 */
function isResizeObserverNotice({ error, message }: ErrorEvent): boolean {
  return (error === null || error === undefined) && message.startsWith('ResizeObserver loop');
}

/** Errors of scripts and styles that could not be loaded. Usually the service was updated, so that they have other names. */
const loadFailures = new WeakSet<object>();
window.addEventListener('vite:preloadError', ({ payload }) => loadFailures.add(payload));

export function isLoadFailure(fault: unknown): boolean {
  return typeof fault === 'object' && fault !== null && loadFailures.has(fault);
}

export function installErrorHandlers(app: App, router: Router): void {
  const ui = useUi();
  const report = (fault: unknown) => {
    console.error(fault);
    ui.fault = isLoadFailure(fault)
      ? appTexts.app.cannotLoadPart
      : `An error occurred on this page: ${errorText(fault)}`;
  };
  app.config.errorHandler = report;
  window.addEventListener('error', (event) => {
    if (!isResizeObserverNotice(event)) report(event.error ?? event.message);
  });
  window.addEventListener('unhandledrejection', (event) => report(event.reason));
  router.onError((fault: unknown) => {
    console.error(fault);
    ui.fault = appTexts.app.cannotOpen;
  });
  router.afterEach(() => {
    ui.fault = null;
  });
}
