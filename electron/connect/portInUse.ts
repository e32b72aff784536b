/** The actions that the app offers when another program uses the service's port. */
import type { LabService, Mode } from '../service/labService.ts';
import { temporaryReason } from '../windows/windowView.ts';

/** The parts of the app that these actions use. */
interface PortActionApp {
  readonly service: Pick<LabService, 'state' | 'writeSettings'>;
  readonly startService: (mode?: Mode, extraArguments?: readonly string[]) => void;
}

/**
 * Shows the lab of the lab manager that uses the port.
 * @throws Error with a user-facing message when there is none
 */
export function useOtherLabManager(app: PortActionApp): void {
  const { status } = app.service.state;
  if (status.phase !== 'port-taken' || status.portOwner.kind === 'unknown') {
    throw new Error('There is no lab manager to use');
  }
  app.startService({ kind: 'follow', url: status.portOwner.url });
}

/**
 * Starts the service on a free port. The port is saved in the settings, unless a source that ranks before them sets it.
 */
export async function useFreePort(app: PortActionApp): Promise<void> {
  const { status } = app.service.state;
  if (status.phase !== 'port-taken') throw new Error('The port is not taken');
  const address = new URL(status.serverUrl);
  address.port = String(status.freePort);
  const value = status.portSetting === 'server_url' ? address.href : String(status.freePort);
  if (temporaryReason(status.portOrigin) === null) {
    await app.service.writeSettings({ [status.portSetting]: value });
    return app.startService();
  }
  app.startService({ kind: 'serve' }, [`--lab-${status.portSetting.replaceAll('_', '-')}=${value}`]);
}
