/** One check of the diagnostics again, for a press on its button: what it offers is done or opened first. */
import type { CheckId } from '../../api/guideEntries.ts';
import type { FixId } from '../../api/diagnostics.ts';
import type { Diagnosis } from '../ipc/contract.ts';
import type { AppPaths } from '../folders/appPaths.ts';
import type { LabWindow } from '../windows/labWindow.ts';
import { openPath } from '../windows/openOutside.ts';
import { pageWindows } from '../windows/pageWindow.ts';
import { openSettingsFile } from '../settings/openSettingsFile.ts';
import { appFacts, type Diagnosed } from './saveDiagnostics.ts';

/** What a check looks at, and what opens what it found. */
interface CheckedApp extends Diagnosed {
  readonly appPaths: AppPaths;
  readonly window: Pick<LabWindow, 'showPage'>;
}

/** The check's new report. @throws Error in words: it could not be done or opened */
export async function runCheck(app: CheckedApp, check: CheckId, fix: boolean): Promise<Diagnosis['reports'][number]> {
  const { report, open } = await app.service.runCheck(check, fix, await appFacts(app));
  if (open !== null) await openFor(app, open);
  return report;
}

async function openFor(app: CheckedApp, fix: FixId): Promise<void> {
  switch (fix) {
    case 'open-settings':
      return openSettingsFile(app);
    case 'open-log-folder':
      return openPath(app.appPaths.logDir);
    case 'show-logs':
      return pageWindows.logs.open(app.appPaths);
    case 'show-lab-page':
      return app.window.showPage('/lab');
    case 'restrict-access':
    case 'put-aside-crashes':
      // Done by the service.
      return;
  }
}
