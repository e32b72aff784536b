/** What nobody caught in the main process: logged and shown by us, and the app goes on. */
import { errorText } from '../../api/errorText.ts';
import type { Log } from '../../server/logging/log.ts';

/** @param show tells people, in the window and the tray */
export function catchErrors(log: Log, show: (text: string) => void): void {
  const caught = (error: unknown): void => {
    log.error(`Uncaught error: ${errorText(error)}`, { stack: error instanceof Error ? error.stack : undefined });
    show(errorText(error));
  };
  process.on('uncaughtException', caught);
  process.on('unhandledRejection', caught);
}
