/** Faults of the page itself: logged, said in words, and never a blank page. */
import type { App } from 'vue';
import type { Router } from 'vue-router';
import { errorText } from '../../api/errorText.ts';
import { appTexts } from './texts.ts';
import { useUi } from '../base/ui.ts';

/** A browser's note that a size which changed while sizes were told is told with the next frame: nothing went wrong. */
function isLateSize({ error, message }: ErrorEvent): boolean {
  return (error === null || error === undefined) && message.startsWith('ResizeObserver loop');
}

export function catchFaults(app: App, router: Router): void {
  const ui = useUi();
  const say = (fault: unknown) => {
    console.error(fault);
    ui.fault = appTexts.app.fault(errorText(fault));
  };
  app.config.errorHandler = say;
  window.addEventListener('error', (event) => {
    if (!isLateSize(event)) say(event.error ?? event.message);
  });
  window.addEventListener('unhandledrejection', (event) => say(event.reason));
  router.onError((fault: unknown) => {
    console.error(fault);
    // Most often the service was updated while the page was open, and the file has another name now.
    ui.fault = appTexts.app.cannotOpen;
  });
  router.afterEach(() => {
    ui.fault = null;
  });
}
