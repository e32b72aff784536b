/** The effects of a press on the safety stop, in the tray and in the app's windows. */
import { clock } from '../../api/time/clock.ts';
import type { AppPaths } from '../folders/appPaths.ts';
import type { LabService } from '../service/labService.ts';
import type { StopView } from '../ipc/contract.ts';
import { confirmMachineDialog } from '../windows/dialogs.ts';
import { pageWindows } from '../windows/pageWindow.ts';
import type { SafetyStop } from './safetyStop.ts';

interface ShownLab {
  readonly safetyStop: Pick<SafetyStop, 'report' | 'openReport' | 'openCurrentReport' | 'shownLabKey' | 'stop'>;
  readonly service: Pick<LabService, 'state' | 'confirmMachine'>;
  readonly appPaths: AppPaths;
  /** The lab and its machine: `Bench on lab-pc`. */
  readonly labOnMachine: string;
  readonly knownNodes: readonly string[];
  readonly nodesWithoutStop: readonly string[];
  /** The reason why the machine of the nodes is uncertain; `null` when it is certain. */
  readonly machineWarning: string | null;
  /** The lab manager on another machine whose lab is shown. */
  readonly followedUrl: string | null;
  readonly showsDemo: boolean;
}

/** Identifies the shown lab and its warning, which can change while a window or a dialog shows them. */
const shownLabKey = ({ safetyStop, followedUrl, showsDemo, machineWarning }: ShownLab): string =>
  JSON.stringify([safetyStop.shownLabKey, followedUrl, showsDemo, machineWarning]);

/** What a press in the window of the report stops. */
export function stopQuestion(lab: ShownLab): StopView['question'] {
  const { knownNodes, nodesWithoutStop, machineWarning } = lab;
  return {
    key: shownLabKey(lab),
    nodes: [...knownNodes],
    nodesWithoutStop: [...nodesWithoutStop],
    warning: machineWarning,
  };
}

/**
 * Stops on the press. While the machine of the nodes is uncertain, or if another lab is shown than in the pressed window,
 * opens the window that shows the lab and its nodes instead.
 * @param hasReport whether the pressed window shows the report; if not, it opens in a separate window
 * @param confirmed the key of the question in the pressed window
 */
export function stopFromPage(lab: ShownLab, hasReport: boolean, confirmed?: string): void {
  const isConfirmed = confirmed === shownLabKey(lab);
  if (!isConfirmed && (confirmed !== undefined || lab.machineWarning !== null)) return openStopReport(lab);
  if (lab.machineWarning !== null) lab.service.confirmMachine();
  trayPress = null;
  void lab.safetyStop.stop(isConfirmed);
  if (!hasReport) openStopReport(lab);
}

/** A second choice in the tray within this time stops the nodes, except for a double click, in ms. */
const confirmWithinMs = 30_000;
const doubleClickMs = 1000;
/** The last choice in the tray that opened the window. */
let trayPress: { readonly key: string; readonly at: number } | null = null;

/**
 * Opens the window whose button stops the nodes, because a click in the tray is easily a mistake. A second choice stops
 * them, also if the page of that window cannot load or hangs.
 */
export function stopFromTray(lab: ShownLab): void {
  const { safetyStop, appPaths, machineWarning } = lab;
  const press = { key: shownLabKey(lab), at: clock.monotonic() };
  // Closing the window cancels the first choice.
  const first = pageWindows.stop.isOpen && trayPress?.key === press.key ? trayPress : null;
  const elapsedMs = first === null ? Number.POSITIVE_INFINITY : press.at - first.at;
  if (elapsedMs < doubleClickMs) return;
  if (elapsedMs > confirmWithinMs) {
    trayPress = press;
    safetyStop.openCurrentReport();
    pageWindows.stop.open(appPaths);
  } else if (machineWarning === null) {
    trayPress = null;
    void safetyStop.stop();
  } else void confirmMachine(lab);
}

/** Opens the report of the last stop, or of the one in effect in the lab, with the button that stops the nodes. */
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
