/** Quits the app: confirms first if other machines use the service, then stops all processes within 5 s. */
import { app, BrowserWindow, powerMonitor } from 'electron';
import { clock } from '../../api/time/clock.ts';
import { endSignals } from '../../server/lifecycle/endSignals.ts';
import { errorText } from '../../api/errorText.ts';
import type { Log } from '../../server/logging/log.ts';
import { exitDespiteStorage, isStorageStuck } from '../../server/storage/storageTimeout.ts';
import { withTimeout } from '../../server/concurrency/boundedWait.ts';
import { discardDumps } from '../crashes/dumps.ts';
import type { LabService } from '../service/labService.ts';
import { confirmQuit } from '../windows/dialogs.ts';
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
    // A second quit while the dialog is open is a confirmation.
    else if (stage === 'confirming') void stop();
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
    for (const window of BrowserWindow.getAllWindows()) window.destroy();
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

  async function confirm(): Promise<void> {
    stage = 'confirming';
    const clients = await withTimeout(runningApp.service.readRecentClients(), clientsTimeoutMs, () => []);
    if (clients.length === 0 || (await confirmQuit(clients))) return stop();
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
      app.quit();
    }
  }

  /** A function, because the stage changes while the dialog is open and TypeScript would narrow it. */
  function isConfirming(): boolean {
    return stage === 'confirming';
  }

  return stop;
}
