/** The effects of a press on the safety stop, in the tray and in the app's windows. */
import type { AppPaths } from '../folders/appPaths.ts';
import type { LabService } from '../service/labService.ts';
import { confirmMachineDialog, confirmSafetyStop } from '../windows/dialogs.ts';
import { pageWindows } from '../windows/pageWindow.ts';
import type { SafetyStop } from './safetyStop.ts';

interface StoppedLab {
  readonly safetyStop: Pick<SafetyStop, 'report' | 'openReport' | 'stop'>;
  readonly service: Pick<LabService, 'state' | 'confirmMachine'>;
  readonly appPaths: AppPaths;
  /** The lab and its machine: `Bench on lab-pc`. */
  readonly labOnMachine: string;
  readonly knownNodes: readonly string[];
  /** The reason why the machine of the nodes is uncertain; `null` when it is certain. */
  readonly machineWarning: string | null;
  /** The lab manager on another machine whose lab is shown. */
  readonly follows: string | null;
  readonly showsDemo: boolean;
}

/** Identifies the shown lab, which can change while a dialog is open. */
const shownLabKey = ({ follows, showsDemo }: StoppedLab): string => JSON.stringify([follows, showsDemo]);

/** Confirms first: a click in the tray is easily a mistake. */
export async function stopFromTray(lab: StoppedLab): Promise<void> {
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
export async function stopFromPage(lab: StoppedLab, hasReport: boolean): Promise<void> {
  if (lab.machineWarning !== null) return stopFromTray(lab);
  void lab.safetyStop.stop();
  if (!hasReport) openStopReport(lab);
}

/** Opens the report of the last stop, or of the one in effect in the lab. */
export function openStopReport({ safetyStop, appPaths }: StoppedLab): void {
  if (safetyStop.report === null) safetyStop.openReport();
  pageWindows.stop.open(appPaths);
}

/** Shows the facts about the shown lab and has the user confirm that it is the intended one. */
export async function confirmMachine(lab: StoppedLab): Promise<void> {
  const { labOnMachine, knownNodes, machineWarning, service } = lab;
  if (machineWarning === null) return;
  const keyBefore = shownLabKey(lab);
  const managers = (service.state.lab?.managers ?? []).map(
    ({ name, url, version }) => `${name}: ${url}${version ? ` (${version})` : ''}`,
  );
  const facts = [machineWarning, '', ...managers, `Nodes: ${knownNodes.join(', ') || 'none known'}`];
  if ((await confirmMachineDialog(labOnMachine, facts)) && shownLabKey(lab) === keyBefore) service.confirmMachine();
}
