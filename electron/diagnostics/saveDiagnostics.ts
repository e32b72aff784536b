/**
 * Runs the checks, and handles Help → Save Diagnostics…: collects, lists and saves the diagnostics where the user
 * chooses.
 */
import { app } from 'electron';
import { join } from 'node:path';
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import type { Log } from '../../server/logging/log.ts';
import type { AppDetails } from '../../server/diagnostics/checks/check.ts';
import type { DiagnosticsList } from '../../api/diagnostics.ts';
import type { CrashWatch } from '../crashes/crashWatch.ts';
import type { LabService } from '../service/labService.ts';
import type { DesktopNotifications } from '../notifications/desktopNotifications.ts';
import { chooserStart } from '../folders/labFolder.ts';
import { hasTrayHost } from '../windows/trayHost.ts';
import { bundleName, describeDiagnostics } from './diagnosticsTexts.ts';
import { chooseTargetFile, raiseDialog, showMessage, showNotification } from '../windows/dialogs.ts';

/** The parts of the app that are diagnosed. */
export interface DiagnosticsSources {
  readonly service: LabService;
  readonly crashes: CrashWatch;
  readonly notifications: DesktopNotifications;
}

/** Only one run at a time: a second request raises the open dialog. */
let isBusy = false;
const dialogKind = 'diagnostics';

/** Never rejects: errors are shown. */
export async function saveDiagnostics(sources: DiagnosticsSources, log: Log): Promise<void> {
  if (isBusy) return void raiseDialog(dialogKind);
  isBusy = true;
  try {
    const list = await collectDiagnostics(sources);
    const path = await chooseTarget(list);
    await sources.service.saveDiagnostics(path);
    if (path === null) return;
    log.info(`Diagnostics saved to ${path}`);
    showNotification('Diagnostics saved', path);
  } catch (error) {
    log.warn(errorText(error));
    await showMessage(dialogKind, {
      type: 'error',
      message: 'The diagnostics were not saved',
      detail: errorText(error),
      buttons: ['OK'],
    });
  } finally {
    isBusy = false;
  }
}

/** Runs the checks, with the information that only the app has. @throws Error with a user-facing message */
export async function collectDiagnostics(sources: DiagnosticsSources): Promise<DiagnosticsList> {
  return sources.service.collectDiagnostics(await collectAppFacts(sources));
}

export async function collectAppFacts({
  crashes,
  notifications,
}: Omit<DiagnosticsSources, 'service'>): Promise<AppDetails> {
  const isSandboxed = !app.commandLine.hasSwitch('no-sandbox');
  const [trayHost, dumps] = await Promise.all([hasTrayHost(), crashes.dumps()]);
  return { isSandboxed, trayHost, dumps, notifications: notifications.delivery };
}

/** Returns the absolute path chosen after showing the list; `null` when cancelled. */
async function chooseTarget(list: DiagnosticsList): Promise<string | null> {
  const { response } = await showMessage(dialogKind, {
    type: 'question',
    ...describeDiagnostics(list),
    buttons: ['Save…', 'Cancel'],
    defaultId: 0,
    cancelId: 1,
  });
  if (response !== 0) return null;
  return chooseTargetFile(dialogKind, {
    title: 'Save diagnostics',
    defaultPath: join(chooserStart(app.getPath('documents'), app.getPath('home')), bundleName(new Date(clock.now()))),
    filters: [{ name: 'ZIP archive', extensions: ['zip'] }],
  });
}
