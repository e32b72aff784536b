/** Answers the Settings window. Which files there are and where settings go, the service says; the page names settings alone. */
import { fileAnswer } from '../../server/settings/edit/messages.ts';
import type { Desktop } from '../desktop.ts';
import type { ShellRequest } from '../ipc/contract.ts';
import { answerAnywhere, chooseLabFolder } from '../menu/commandHandlers.ts';
import { openSettingsFile } from '../menu/openSettingsFile.ts';
import { openPath } from '../menu/openOutside.ts';
import { changePreferences, forgetChoice, preferencesView } from './preferencesView.ts';
import { settingsState } from './settingsWindow.ts';

export async function answerSettings(desktop: Desktop, request: ShellRequest): Promise<unknown> {
  const { service } = desktop;
  switch (request.ask) {
    case 'state':
      return settingsState(desktop);
    case 'settings':
      return service.askSettings(request.question);
    case 'open-setting-file':
      return openFileOf(desktop, request.name);
    case 'open-settings':
      return openSettingsFile(desktop);
    case 'test-address':
      return service.testAddress(request.manager, request.url);
    case 'test-notifications':
      return service.testNotifications();
    case 'deliveries':
      return { webhooks: await service.deliveries(), desktop: desktop.notifications.delivery };
    case 'restart-service':
      return restart(desktop);
    case 'preferences':
      return preferencesView(desktop);
    case 'prefer':
      return changePreferences(desktop, request.changes);
    case 'forget':
      return forgetChoice(desktop, request.choice);
    case 'choose-folder':
      return chooseLabFolder(desktop);
    case 'use-no-folder':
      desktop.preferences.change({ labFolder: null });
      return restart(desktop);
    default:
      return answerAnywhere(desktop, request);
  }
}

/** With the files and the folder as they are now; the demo lab in the lab's place stays there. */
function restart(desktop: Desktop): void | Promise<void> {
  return desktop.showsDemo ? desktop.startDemoOnly() : desktop.startService();
}

async function openFileOf(desktop: Desktop, name: string): Promise<void> {
  const path = fileAnswer.parse(await desktop.service.askSettings({ about: 'file', name }));
  if (path === null) throw new Error('This setting is in no file');
  await openPath(path);
}
