/** What a press of the safety stop does, in the tray and in the app's windows. */
import type { Desktop } from '../desktop.ts';
import { askConfirmMachine, askSafetyStop } from '../menu/dialogs.ts';
import { stopLab } from './stopWindow.ts';

/** Asks first: a click in the tray is easily a slip. */
export async function stopFromTray(desktop: Desktop): Promise<void> {
  const { labOnMachine, knownNodes, machineDoubt } = desktop;
  if (!(await askSafetyStop(labOnMachine, knownNodes, machineDoubt))) return;
  if (machineDoubt !== null) desktop.service.confirmMachine();
  stopLab(desktop, true);
}

/** Acts on the press, unless it isn't known whose nodes they are. */
export async function stopFromPage(desktop: Desktop): Promise<void> {
  if (desktop.machineDoubt !== null) return stopFromTray(desktop);
  void desktop.safetyStop.stop();
}

/** As `stopFromPage`, from a small window: the report opens in its own. */
export async function stopFromSmallWindow(desktop: Desktop): Promise<void> {
  if (desktop.machineDoubt !== null) return stopFromTray(desktop);
  stopLab(desktop);
}

/** Asks whether the lab that is shown is the one that is meant, with all that is known of it. */
export async function confirmMachine(desktop: Desktop): Promise<void> {
  const { labOnMachine, knownNodes, machineDoubt, service } = desktop;
  if (machineDoubt === null) return;
  const { lab } = service.state;
  const managers = (lab?.managers ?? []).map(
    ({ name, url, version }) => `${name}: ${url}${version ? ` (${version})` : ''}`,
  );
  const facts = [machineDoubt, '', ...managers, `Nodes: ${knownNodes.join(', ') || 'none known'}`];
  if (await askConfirmMachine(labOnMachine, facts)) service.confirmMachine();
}
