/** The labs in the tray that are not shown in the window: their state, their text and their menu item. */
import { fleetAppearances, type FleetState } from '../../api/lab/fleet.ts';
import { savedLabLabel } from '../../api/lab/followedLab.ts';
import { labAppearances, type LabState } from '../../api/states.ts';
import type { WatchedLab } from '../../server/fleet/watchedLabs.ts';
import type { ChosenLab } from '../ipc/contract.ts';
import { commandItem, type TrayMenuItem } from './trayMenuItem.ts';

/** A lab that the user has chosen, and its last reading. */
export interface OtherLab extends WatchedLab {
  /** `Culture on culture-pc` */
  readonly label: string;
}

/**
 * Returns the chosen labs except the shown one, each with its last reading.
 * @param followedUrl the address of the followed lab manager, whose lab is shown in the window
 */
export function listOtherLabs(
  chosenLabs: readonly ChosenLab[],
  followedUrl: string | null,
  watched: readonly WatchedLab[],
): readonly OtherLab[] {
  return chosenLabs.flatMap(({ url, name }) => {
    if (url === followedUrl) return [];
    const reading = watched.find((lab) => lab.url === url);
    const label = savedLabLabel({ url, name });
    return [{ ...(reading ?? { url, labName: null, state: 'unknown', reason: null, managers: null }), label }];
  });
}

/** Returns the state for the icon: the worst of all labs. */
export function worstState(shown: LabState, others: readonly OtherLab[]): LabState {
  return others
    .filter(isRead)
    .map(({ state }) => iconState(state))
    .reduce((worst, state) => (labAppearances[state].severity > labAppearances[worst].severity ? state : worst), shown);
}

/** Returns `; Culture on culture-pc: Down` for each lab that is neither healthy nor in maintenance. */
export function otherLabsSentence(others: readonly OtherLab[]): string {
  const affected = others.filter((lab) => isRead(lab) && !['healthy', 'maintenance'].includes(lab.state));
  return affected.map(({ label, state }) => `; ${label}: ${fleetAppearances[state].label}`).join('');
}

/** Returns a menu item for each lab, which shows the lab in the window. */
export function otherLabItems(others: readonly OtherLab[]): TrayMenuItem[] {
  const items = others.map(({ label, state, managers, url }) => {
    const text = isRead({ state, managers }) ? fleetAppearances[state].label : 'Checking';
    const counts = managers === null ? '' : `, ${managers.healthy}/${managers.total} managers are healthy`;
    return commandItem(`${label}: ${text}${counts}`, { command: 'connect', url });
  });
  return items.length === 0 ? [] : [...items, { kind: 'separator' }];
}

/** Returns whether the lab was read. Until then it has no state, so that it doesn't change the icon at every start. */
function isRead({ state, managers }: Pick<WatchedLab, 'state' | 'managers'>): boolean {
  return state !== 'unknown' || managers !== null;
}

/** Returns the icon's state for a lab. If its lab manager does not respond, the lab's state is unknown. */
function iconState(state: FleetState): LabState {
  switch (state) {
    case 'stopped':
      return 'failed';
    case 'unreachable':
      return 'unknown';
    case 'incidents':
      return 'degraded';
    default:
      return state;
  }
}
