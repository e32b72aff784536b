/** Quitting awaits the service's stop. */
import { app } from 'electron';
import { errorText } from '../server/log.ts';
import type { Desktop } from './desktop.ts';

export function quitInOrder(desktop: Desktop): void {
  let stopped = false;
  let stopping = false;
  app.on('before-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    if (stopping) return;
    stopping = true;
    desktop
      .quit()
      .catch((error: unknown) => desktop.log.error(`Stopping: ${errorText(error)}`))
      .finally(() => {
        stopped = true;
        app.quit();
      });
  });
  // The window only hides; what ends the app is Quit, or a desktop without a tray.
  app.on('window-all-closed', () => app.quit());
  process.on('SIGTERM', () => app.quit());
  process.on('SIGINT', () => app.quit());
}
