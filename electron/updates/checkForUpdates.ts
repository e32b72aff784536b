/** Help → Check for Updates: checks, shows the result and performs the chosen action. */
import { clipboard } from 'electron';
import { errorText } from '../../api/errorText.ts';
import type { AppPaths } from '../folders/appPaths.ts';
import type { LabService } from '../service/labService.ts';
import { raiseDialog, showMessage } from '../windows/dialogs.ts';
import { openAddress } from '../windows/openExternal.ts';
import type { Updates } from './updates.ts';
import { debCommand, failureTitles, unknownFeedReason, createUpdateDialog } from './updateTexts.ts';

interface UpdatableApp {
  readonly updates: Updates;
  readonly appPaths: AppPaths;
  readonly service: Pick<LabService, 'state'>;
}

/** Only one run at a time. */
let isRunning = false;
const dialogKind = 'update';

/** Never rejects: errors are shown. @param quitAfter stops all processes, runs a step, and ends the app */
export async function checkForUpdates(
  app: UpdatableApp,
  quitAfter: (lastStep: () => Promise<void>) => Promise<void>,
): Promise<void> {
  if (isRunning) {
    // Shows the progress of a download; in other states the dialog is open, or opens after the check.
    if (app.updates.state.kind !== 'downloading') raiseDialog(dialogKind);
    else if (await confirmUpdate(app)) app.updates.cancel();
    return;
  }
  isRunning = true;
  let step: keyof typeof failureTitles = 'check';
  try {
    const { updates } = app;
    if (updates.state.kind === 'none' || updates.state.kind === 'available') await updates.check();
    if (!(await confirmUpdate(app))) return;
    if (updates.state.kind === 'available' && updates.kind === 'none') return await openAddress(updates.feed ?? '');
    if (updates.state.kind === 'available') {
      step = 'download';
      const isDownloaded = await updates.download();
      if (!isDownloaded || !(await confirmUpdate(app))) return;
    }
    if (updates.state.kind !== 'ready') return;
    step = 'install';
    if (updates.kind === 'deb') return clipboard.writeText(debCommand(updates.state.file));
    await updates.installAppImage();
    await quitAfter(() => updates.finish());
  } catch (error) {
    await showMessage(dialogKind, {
      type: 'error',
      message: failureTitles[step],
      detail: `${errorText(error)}.`,
      buttons: ['OK'],
    });
  } finally {
    isRunning = false;
  }
}

/** Shows the current state. @returns whether the user accepted the offer */
async function confirmUpdate({ updates, appPaths, service }: UpdatableApp): Promise<boolean> {
  const currentVersion = appPaths.installation.version;
  const { message, detail, buttons } = createUpdateDialog(updates.state, {
    currentVersion,
    kind: updates.kind,
    feed: updates.feed,
    requiresSignature: updates.requiresSignature,
    unknownReason: unknownFeedReason(service.state.status),
  });
  const { response } = await showMessage(dialogKind, {
    type: 'info',
    message,
    detail,
    buttons: [...buttons],
    // Enter must not end a download.
    defaultId: updates.state.kind === 'downloading' ? buttons.length - 1 : 0,
    cancelId: buttons.length - 1,
  });
  return buttons.length > 1 && response === 0;
}
