/** The effects of a press on the safety stop, in the tray and in the app's windows. */
import type { AppPaths } from '../folders/appPaths.ts';
import type { LabService } from '../service/labService.ts';
import { closeDialogs, confirmMachineDialog, confirmSafetyStop } from '../windows/dialogs.ts';
import { pageWindows } from '../windows/pageWindow.ts';
import type { SafetyStop } from './safetyStop.ts';

interface ShownLab {
  readonly safetyStop: Pick<SafetyStop, 'report' | 'openReport' | 'stop'>;
  readonly service: Pick<LabService, 'state' | 'confirmMachine'>;
  readonly appPaths: AppPaths;
  /** The lab and its machine: `Bench on lab-pc`. */
  readonly labOnMachine: string;
  readonly knownNodes: readonly string[];
  /** The reason why the machine of the nodes is uncertain; `null` when it is certain. */
  readonly machineWarning: string | null;
  /** The lab manager on another machine whose lab is shown. */
  readonly followedUrl: string | null;
  readonly showsDemo: boolean;
}

/** Identifies the shown lab, which can change while a dialog is open. */
const shownLabKey = ({ followedUrl, showsDemo }: ShownLab): string => JSON.stringify([followedUrl, showsDemo]);

/** Stops after a confirmation, because a click in the tray is easily a mistake. */
export async function stopFromTray(lab: ShownLab): Promise<void> {
  const { labOnMachine, knownNodes, machineWarning } = lab;
  const keyBefore = shownLabKey(lab);
  if (!(await confirmSafetyStop(labOnMachine, knownNodes, machineWarning))) return;
  // Another lab is shown now, so the stop would reach a different lab than the dialog named.
  if (shownLabKey(lab) !== keyBefore) return stopFromTray(lab);
  if (machineWarning !== null) lab.service.confirmMachine();
  void lab.safetyStop.stop(true);
  openStopReport(lab);
}

/**
 * Stops on the press, unless the machine of the nodes is uncertain.
 * @param hasReport whether the pressed window shows the report; if not, it opens in a separate window
 */
export async function stopFromPage(lab: ShownLab, hasReport: boolean): Promise<void> {
  if (lab.machineWarning !== null) return stopFromTray(lab);
  void lab.safetyStop.stop();
  closeDialogs('safety-stop');
  if (!hasReport) openStopReport(lab);
}

/** Opens the report of the last stop, or of the one in effect in the lab. */
export function openStopReport({ safetyStop, appPaths }: ShownLab): void {
  if (safetyStop.report === null) safetyStop.openReport();
  pageWindows.stop.open(appPaths);
}

/** Opens a dialog with the addresses of the shown lab, in which the user confirms that it is the intended one. */
export async function confirmMachine(lab: ShownLab): Promise<void> {
  const { labOnMachine, knownNodes, machineWarning, service } = lab;
  if (machineWarning === null) return;
  const keyBefore = shownLabKey(lab);
  const managers = (service.state.lab?.managers ?? []).map(
    ({ name, url, version }) => `${name}: ${url}${version ? ` (${version})` : ''}`,
  );
  const lines = [machineWarning, '', ...managers, `Nodes: ${knownNodes.join(', ') || 'none known'}`];
  if ((await confirmMachineDialog(labOnMachine, lines)) && shownLabKey(lab) === keyBefore) service.confirmMachine();
}
