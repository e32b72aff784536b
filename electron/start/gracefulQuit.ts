/** Quits the app: confirms first if other machines use the service or input is unsaved, then stops all processes within 5 s. */
import { app, BrowserWindow, powerMonitor } from 'electron';
import { clock } from '../../api/time/clock.ts';
import { endSignals } from '../../server/lifecycle/endSignals.ts';
import { errorText } from '../../api/errorText.ts';
import type { Log } from '../../server/logging/log.ts';
import { exitDespiteStorage, isStorageStuck } from '../../server/storage/storageTimeout.ts';
import { withTimeout } from '../../server/concurrency/boundedWait.ts';
import { discardDumps } from '../crashes/dumps.ts';
import type { LabService } from '../service/labService.ts';
import { confirmQuit, raiseDialog } from '../windows/dialogs.ts';
import { hasUnsavedInput } from '../windows/unsavedInput.ts';
import { limitGpuCrashes } from './gpuCrashLimit.ts';

/** The timeout for stopping all processes, in milliseconds. */
const stopTimeoutMs = 4700;
/** The timeout for the service's list of clients, in milliseconds: a hanging service doesn't delay quitting. */
const clientsTimeoutMs = 700;
/**
 * The maximum age of a dump that is discarded at the end of the session, in milliseconds. During a logout a starting
 * page can crash before this process gets its signal.
 */
const maxDumpAgeMs = 5000;

/** An app whose windows and processes have not ended this long after the quit exits nevertheless, in ms. */
const exitMs = 5000;

interface RunningApp {
  readonly service: Pick<LabService, 'readRecentClients'>;
  readonly log: Log;
  /** Stops all processes of the app. */
  readonly quit: () => Promise<void>;
}

type Stage = 'running' | 'confirming' | 'stopping' | 'stopped';

/**
 * @returns a function that stops all processes, runs a last step, such as installing a new version, and ends the app
 */
export function installGracefulQuit(runningApp: RunningApp): (last: () => Promise<void>) => Promise<void> {
  let stage: Stage = 'running';

  app.on('before-quit', (event) => {
    if (stage === 'stopped') return;
    event.preventDefault();
    if (stage === 'running') void confirm();
    else if (stage === 'confirming') raiseDialog('quit');
  });
  // Closing the last window doesn't quit the app: the window is only hidden, unless the desktop has no tray.
  app.on('window-all-closed', () => app.quit());
  app.on('quit', () => {
    if (isStorageStuck()) exitDespiteStorage(0);
  });
  limitGpuCrashes();
  // Registered after the start, because Electron replaces earlier handlers by its own, which quit as if the user had
  // chosen Quit.
  void app.whenReady().then(() => {
    for (const signal of endSignals) process.on(signal, () => quitOnSignal());
    powerMonitor.on('shutdown', () => quitOnSignal());
  });

  /**
   * Ends without a confirmation and destroys the windows at once, because Chromium's processes get the same signal and
   * no longer render.
   */
  function quitOnSignal(): void {
    if (stage === 'stopping' || stage === 'stopped') return;
    const since = clock.now() - maxDumpAgeMs;
    void stop(() => discardDumps(app.getPath('crashDumps'), since));
    killPages();
    destroyWindows();
  }

  async function confirm(): Promise<void> {
    stage = 'confirming';
    const [clients, isUnsaved] = await Promise.all([
      withTimeout(runningApp.service.readRecentClients(), clientsTimeoutMs, () => []),
      hasUnsavedInput(BrowserWindow.getAllWindows()),
    ]);
    if ((clients.length === 0 && !isUnsaved) || (await confirmQuit(clients, isUnsaved))) return stop();
    if (isConfirming()) stage = 'running';
  }

  async function stop(last?: () => Promise<void>): Promise<void> {
    if (stage === 'stopping' || stage === 'stopped') return;
    stage = 'stopping';
    const stopped = runningApp
      .quit()
      .catch((error: unknown) => runningApp.log.error(`Stopping failed: ${errorText(error)}`));
    await withTimeout(stopped, stopTimeoutMs, () => undefined);
    stage = 'stopped';
    try {
      await last?.();
    } catch (error) {
      runningApp.log.error(`The last step failed: ${errorText(error)}`);
    } finally {
      // A page could prevent its unload, which would cancel the quit after the service has ended.
      destroyWindows();
      clock.setTimeout(() => app.exit(0), exitMs);
      app.quit();
    }
  }

  /** A function, because the stage changes while the dialog is open and TypeScript would narrow it. */
  function isConfirming(): boolean {
    return stage === 'confirming';
  }

  return stop;
}

/** Kills the pages, because a page that outlives Chromium's other processes crashes and leaves a dump. */
function killPages(): void {
  for (const { pid } of app.getAppMetrics().filter(({ type }) => type === 'Tab')) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
}

function destroyWindows(): void {
  for (const window of BrowserWindow.getAllWindows()) window.destroy();
}
