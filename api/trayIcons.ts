/** The icons of the tray: one for each state of a lab, and one for a lab whose nodes a safety stop has stopped. */
import { labAppearances, labStates, nodeAppearances, type LabState, type StateAppearance } from './states.ts';

export const trayIconNames = [...labStates, 'stopped'] as const;
export type TrayIconName = (typeof trayIconNames)[number];

export const trayIconAppearances: Readonly<Record<LabState | 'stopped', StateAppearance>> = {
  ...labAppearances,
  stopped: nodeAppearances.stopped,
};
