/** The tray's icon, tooltip and menu for a state of the lab. Pure; `tray.ts` renders it. */
import type { LabStatus, ManagerStatus } from '../../api/lab/lab.ts';
import { differenceText } from '../../api/lab/followedLab.ts';
import type { LabState } from '../../api/states.ts';
import type { TrayIconName } from '../../api/trayIcons.ts';
import { plural } from '../../api/countText.ts';
import { otherLabItems } from './otherLabs.ts';
import { commandItem, type TrayMenuItem } from './trayMenuItem.ts';
import {
  currentLab,
  currentNeeds,
  managerLine,
  nodeLines,
  truncate,
  trayIcon,
  traySentence,
  trayState,
  type TrayInput,
} from './trayState.ts';
import {
  managerMaintenanceText,
  maintenanceNodeItems,
  maintenanceItem,
  muteItem,
  openNodeItem,
  type MaintenanceInput,
} from './maintenanceItems.ts';

export interface TrayModel {
  readonly state: LabState;
  readonly icon: TrayIconName;
  /** The number of items that need a person. */
  readonly needCount: number;
  readonly tooltip: string;
  readonly menu: readonly TrayMenuItem[];
}

export function createTrayModel(input: TrayInput): TrayModel {
  const state = trayState(input);
  const sentence = traySentence(input);
  const lab = currentLab(input);
  const { service } = input;
  const isRunning = service.phase === 'running' || service.phase === 'attached';
  const needsRestart = service.phase === 'running' && service.restartNeeded.length > 0;
  const isLost = service.phase === 'attached' && service.lost !== null;
  const maintenance: MaintenanceInput = {
    lab,
    mutes: input.mutes,
    canSetMaintenance: service.phase === 'running' && service.followedUrl === null,
    now: input.now,
  };
  const notices = input.notices.map(({ text }): TrayMenuItem => ({ kind: 'text', label: truncate(text) }));
  return {
    state,
    icon: trayIcon(input, state),
    needCount: currentNeeds(input).length,
    tooltip: sentence,
    menu: [
      { kind: 'text', label: truncate(sentence) },
      ...differenceItem(lab),
      ...notices,
      { kind: 'separator' },
      ...(lab?.managers ?? []).map((manager) => managerItem(manager, maintenance)),
      ...nodeItems(input, maintenance),
      ...maintenanceNodeItems(maintenance),
      ...(lab && lab.managers.length > 0 ? [{ kind: 'separator' } as const] : []),
      ...otherLabItems(input.otherLabs),
      commandItem('Open Dashboard', { command: 'show-window' }),
      commandItem('Open in Browser', { command: 'open-in-browser' }, isRunning),
      copyItem(input.publicUrls),
      commandItem('Check Now', { command: 'check-now' }, isRunning),
      commandItem('Connect to Lab…', { command: 'open-connect' }),
      ...(input.followedUrl === null ? [] : [commandItem('Use This Machine’s Lab', { command: 'disconnect' })]),
      ...(needsRestart ? [commandItem('Restart Service', { command: 'restart-service' })] : []),
      ...(lab?.followed?.identified === false ? [commandItem('Confirm Machine…', { command: 'confirm-machine' })] : []),
      ...(isLost ? [commandItem('Run the Service in This App', { command: 'serve-here' })] : []),
      { kind: 'separator' },
      commandItem('Safety Stop…', { command: 'safety-stop' }, input.knownNodes > 0),
      ...(input.hasStopReport ? [commandItem('Safety Stop Report…', { command: 'open-stop' })] : []),
      { kind: 'separator' },
      muteItem(null, maintenance),
      ...maintenanceItem({ kind: 'lab', id: 'lab' }, maintenance),
      commandItem('Maintenance and Mute…', { command: 'open-maintenance' }),
      commandItem('Settings…', { command: 'open-settings' }),
      commandItem('Open Logs Folder', { command: 'open-log-folder' }),
      { kind: 'separator' },
      commandItem('Quit', { command: 'quit' }),
    ],
  };
}

/**
 * A single address is copied directly; with several, the user chooses, because the right one depends on the client's
 * network.
 */
function copyItem(urls: readonly string[]): TrayMenuItem {
  const label = 'Copy Address for Other Machines';
  const [first] = urls;
  if (first === undefined || urls.length === 1) {
    return commandItem(label, { command: 'copy-address', url: first ?? '' }, first !== undefined);
  }
  return { kind: 'submenu', label, items: urls.map((url) => commandItem(url, { command: 'copy-address', url })) };
}

function managerItem(manager: ManagerStatus, input: MaintenanceInput): TrayMenuItem {
  const maintenance = input.lab === null ? null : managerMaintenanceText(input.lab, manager.manager, input.now);
  const subject = { kind: 'manager', id: manager.manager } as const;
  return {
    kind: 'submenu',
    label: maintenance === null ? managerLine(manager, input.now) : `${manager.name}: ${maintenance}`,
    items: [
      { kind: 'text', label: manager.url },
      commandItem('Open Its API Page', { command: 'open-manager', url: manager.url }),
      commandItem('Copy Address', { command: 'copy-address', url: manager.url }),
      muteItem(subject, input),
      ...maintenanceItem(subject, input),
    ],
  };
}

/** The maximum number of listed nodes; the page shows all. */
const maxNodes = 5;

/** Returns an item for each node that needs attention or did not confirm a stop. */
function nodeItems(input: TrayInput, maintenance: MaintenanceInput): TrayMenuItem[] {
  const lines = nodeLines(input);
  const items = lines.slice(0, maxNodes).map(({ name, line }): TrayMenuItem => {
    const subject = { kind: 'node', id: name } as const;
    return {
      kind: 'submenu',
      label: truncate(line),
      items: [openNodeItem(name), muteItem(subject, maintenance), ...maintenanceItem(subject, maintenance)],
    };
  });
  const hiddenCount = lines.length - maxNodes;
  return hiddenCount > 0
    ? [
        ...items,
        commandItem(`${plural(hiddenCount, 'more node needs', 'more nodes need')} attention`, {
          command: 'open-page',
          path: '/workcells',
        }),
      ]
    : items;
}

/** Returns a line about the difference between the followed lab manager's report and this app's checks, if any. */
function differenceItem(lab: LabStatus | null): TrayMenuItem[] {
  const text = lab === null ? null : differenceText(lab);
  return text === null ? [] : [{ kind: 'text', label: text }];
}
