/** Answers the window "Maintenance and Mute". */
import type { Desktop } from '../desktop.ts';
import type { ShellRequest } from '../ipc/contract.ts';
import { answerAnywhere } from '../menu/commandHandlers.ts';
import { maintenanceState } from './maintenanceWindow.ts';
import { setMaintenance } from './setMaintenance.ts';

export async function answerMaintenance(desktop: Desktop, request: ShellRequest): Promise<unknown> {
  switch (request.ask) {
    case 'state':
      return maintenanceState(desktop);
    case 'set-maintenance': {
      const { kind, id, until } = request;
      return setMaintenance(desktop, { kind, id, until });
    }
    case 'set-mute':
      return desktop.mute(request.key, request.until);
    default:
      return answerAnywhere(desktop, request);
  }
}
