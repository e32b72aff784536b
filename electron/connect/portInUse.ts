/** The actions that the app offers when another program uses the service's port. */
import type { OtherOwner } from '../../server/attached/ownSettings.ts';
import type { LabService, Mode } from '../service/labService.ts';
import { temporaryReason } from '../windows/windowView.ts';
import { connectLab, type LabSwitch } from './connectLab.ts';

/** The parts of the app that these actions use. */
interface PortActionApp {
  readonly service: Pick<LabService, 'state' | 'writeSettings'>;
  readonly startService: (mode?: Mode, extraArguments?: readonly string[], otherOwner?: OtherOwner | null) => void;
}

/**
 * Leaves the lab manager to which the app is attached, and shows the choices between that one and the user's own.
 * @throws Error with a user-facing message when it has the settings of this app
 */
export function chooseLabManager(app: PortActionApp): void {
  const { status } = app.service.state;
  if (status.phase !== 'attached' || status.otherOwner === null) throw new Error('Your own settings are in use');
  app.startService({ kind: 'serve' }, undefined, status.otherOwner);
}

/**
 * Shows the lab of the lab manager that uses the port, also at the next start.
 * @throws Error with a user-facing message when there is none
 */
export async function useOtherLabManager(app: PortActionApp & LabSwitch): Promise<void> {
  const { status } = app.service.state;
  if (status.phase !== 'port-taken' || status.portOwner.kind === 'unknown') {
    throw new Error('There is no lab manager to use');
  }
  // The app attaches to a copy of its own service at every start.
  if (status.portOwner.kind === 'ours') app.startService({ kind: 'serve' });
  else await connectLab(app, status.portOwner.url);
}

/**
 * Starts the service on another port. Port and interface are saved in the settings, unless a source that ranks before
 * them sets the port.
 * @param host the interface to listen on; `null` for all
 */
export async function usePort(app: PortActionApp, port: number, host: string | null): Promise<void> {
  const { status } = app.service.state;
  if (status.phase !== 'port-taken') throw new Error('The port is not taken');
  const address = new URL(status.serverUrl);
  address.port = String(port);
  const changes = {
    [status.portSetting]: status.portSetting === 'server_url' ? address.href : String(port),
    ...(host !== status.listenHost && { listen_host: host }),
  };
  if (temporaryReason(status.portOrigin) === null) {
    await app.service.writeSettings(changes);
    return app.startService();
  }
  const options = Object.entries(changes).map(
    ([name, value]) => `--lab-${name.replaceAll('_', '-')}=${value ?? 'None'}`,
  );
  app.startService({ kind: 'serve' }, options);
}
