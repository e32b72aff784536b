/** Repeats one diagnostics check from its button, after applying the fix or opening the target that it offers. */
import type { FixId } from '../../api/diagnostics.ts';
import type { Diagnosis } from '../ipc/contract.ts';
import type { AppPaths } from '../folders/appPaths.ts';
import type { LabWindow } from '../windows/labWindow.ts';
import { openPath } from '../windows/openExternal.ts';
import { pageWindows } from '../windows/pageWindow.ts';
import { openSettingsFile } from '../settings/openSettingsFile.ts';
import { collectAppFacts, type DiagnosticsSources } from './saveDiagnostics.ts';

/** The parts of the app that a check inspects, or that open the target of its button. */
interface CheckedApp extends DiagnosticsSources {
  readonly appPaths: AppPaths;
  readonly window: Pick<LabWindow, 'showPage'>;
}

/** Returns the check's new report. @throws Error with a user-facing message when the fix or opening fails */
export async function runCheck(app: CheckedApp, check: string, fix: boolean): Promise<Diagnosis['reports'][number]> {
  const { report, open } = await app.service.runCheck(check, fix, await collectAppFacts(app));
  if (open !== null) await openFixTarget(app, open);
  return report;
}

async function openFixTarget(app: CheckedApp, fix: FixId): Promise<void> {
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
      // The service applies these fixes itself.
      return;
  }
}
