/** Restarts the app after another program, for example apt, replaced its files. */
import { app } from 'electron';
import { dropHiddenFlag } from '../start/startOptions.ts';
import { confirmRestart } from '../windows/dialogs.ts';

/** Restarts the app after a confirmation. @param quitAfter stops all processes, runs a step, and ends the app */
export async function restartReplacedApp(quitAfter: (lastStep: () => Promise<void>) => Promise<void>): Promise<void> {
  if (!(await confirmRestart())) return;
  await quitAfter(async () => {
    // The user requested the restart, so the window opens.
    app.relaunch({ execPath: process.execPath, args: dropHiddenFlag(process.argv.slice(1)) });
  });
}
