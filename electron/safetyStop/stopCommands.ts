/** What a press of the safety stop does, in the tray and in the app's windows. */
import type { AppPaths } from '../folders/appPaths.ts';
import type { LabService } from '../service/labService.ts';
import { askConfirmMachine, confirmSafetyStop } from '../windows/dialogs.ts';
import { pageWindows } from '../windows/pageWindow.ts';
import type { SafetyStop } from './safetyStop.ts';

/** The lab that a stop goes to. */
interface StoppedLab {
  readonly safetyStop: Pick<SafetyStop, 'report' | 'openReport' | 'stop'>;
  readonly service: Pick<LabService, 'state' | 'confirmMachine'>;
  readonly appPaths: AppPaths;
  /** The lab and its machine: `Bench on lab-pc`. */
  readonly labOnMachine: string;
  readonly knownNodes: readonly string[];
  /** Why it isn't known which machine's nodes they are; `null` when it is. */
  readonly machineWarning: string | null;
}

/** Asks first: a click in the tray is easily a slip. */
export async function stopFromTray(lab: StoppedLab): Promise<void> {
  const { labOnMachine, knownNodes, machineWarning: machineDoubt } = lab;
  if (!(await confirmSafetyStop(labOnMachine, knownNodes, machineDoubt))) return;
  if (machineDoubt !== null) lab.service.confirmMachine();
  void lab.safetyStop.stop(true);
  openStopReport(lab);
}

/**
 * Acts on the press, unless it isn't known whose nodes they are.
 * @param hasReport whether the window of the press shows the report; else it opens in its own
 */
export async function stopFromPage(lab: StoppedLab, hasReport: boolean): Promise<void> {
  if (lab.machineWarning !== null) return stopFromTray(lab);
  void lab.safetyStop.stop();
  if (!hasReport) openStopReport(lab);
}

/** Opens the report of the last stop, or of the one in force in the lab. */
export function openStopReport({ safetyStop, appPaths }: StoppedLab): void {
  if (safetyStop.report === null) safetyStop.openReport();
  pageWindows.stop.open(appPaths);
}

/** Asks whether the lab that is shown is the one that is meant, with all that is known of it. */
export async function confirmMachine({
  labOnMachine,
  knownNodes,
  machineWarning: machineDoubt,
  service,
}: StoppedLab): Promise<void> {
  if (machineDoubt === null) return;
  const { lab } = service.state;
  const managers = (lab?.managers ?? []).map(
    ({ name, url, version }) => `${name}: ${url}${version ? ` (${version})` : ''}`,
  );
  const facts = [machineDoubt, '', ...managers, `Nodes: ${knownNodes.join(', ') || 'none known'}`];
  if (await askConfirmMachine(labOnMachine, facts)) service.confirmMachine();
}
