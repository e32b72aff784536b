/** One check of the diagnostics again, for a press on its button: what it offers is done or opened first. */
import type { CheckId } from '../../api/guideEntries.ts';
import type { FixId } from '../../api/diagnostics.ts';
import type { Desktop } from '../desktop.ts';
import type { Diagnosis } from '../ipc/contract.ts';
import { openLogsWindow } from '../logs/logsWindow.ts';
import { openPath } from './openOutside.ts';
import { openSettingsFile } from './openSettingsFile.ts';
import { appFacts } from './saveDiagnostics.ts';

/** The check's new report. @throws Error in words: it could not be done or opened */
export async function runCheck(desktop: Desktop, check: CheckId, mend: boolean): Promise<Diagnosis['reports'][number]> {
  const { report, open } = await desktop.service.runCheck(check, mend, await appFacts(desktop));
  if (open !== null) await openFor(desktop, open);
  return report;
}

async function openFor(desktop: Desktop, fix: FixId): Promise<void> {
  switch (fix) {
    case 'open-settings':
      return openSettingsFile(desktop);
    case 'open-log-folder':
      return openPath(desktop.appPaths.logDir);
    case 'show-logs':
      return openLogsWindow(desktop.appPaths);
    case 'show-lab-page':
      return desktop.window.showPage('/lab');
    case 'restrict-access':
    case 'put-aside-crashes':
      // Done by the service.
      return;
  }
}
