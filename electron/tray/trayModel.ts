/** What the tray shows for a state of the lab: icon, tooltip, menu. Pure; `tray.ts` draws it. */
import type { LabStatus, ManagerStatus } from '../../api/lab/lab.ts';
import { clockTime } from '../clockTime.ts';
import type { Notice } from '../ipc/contract.ts';
import { differenceText, labLabel } from '../../api/lab/followed.ts';
import { outsideMaintenance } from '../../api/lab/maintenance.ts';
import { nodeStateText } from '../../api/managers/nodeState.ts';
import { stopSentence } from '../../api/labStop.ts';
import { labLooks, managerLooks, type LabState } from '../../api/states.ts';
import type { ServiceStatus } from '../../server/lifecycle/status.ts';
import type { Mutes } from '../notifications.ts';
import type { TrayAction, TrayMenuItem } from './trayMenu.ts';
import {
  managerMaintenance,
  maintenanceNodeItems,
  maintenanceItem,
  muteItem,
  openNode,
  type MenuInput,
} from './maintenanceItems.ts';

export interface TrayModel {
  readonly state: LabState;
  readonly tooltip: string;
  readonly menu: readonly TrayMenuItem[];
}

export interface TrayInput {
  readonly service: ServiceStatus;
  readonly lab: LabStatus | null;
  /** When the lab's state was last heard, in ms since the epoch. */
  readonly heardAt: number | null;
  /** It has said nothing since then, in ms since the epoch; `null` while it speaks. */
  readonly silentSince: number | null;
  /** The service died and didn't come back at once: when it is tried again, in ms since the epoch. */
  readonly nextTryAt: number | null;
  readonly now: number;
  /** The addresses that other machines may use, the best first; none while nobody else can reach it. */
  readonly publicUrls: readonly string[];
  readonly notices: readonly Notice[];
  /** The lab manager on another machine whose lab was asked for. */
  readonly follows: string | null;
  /** Nodes that a safety stop would go to. */
  readonly knownNodes: number;
  /** There was a safety stop, of this app or in force in the lab. */
  readonly hasStopReport: boolean;
  readonly mutes: Mutes;
}

/** A state that wasn't heard for this long says nothing any more, in milliseconds. */
export const staleMs = 20_000;

export function trayModel(input: TrayInput): TrayModel {
  const state = stateOf(input);
  const lab = state === 'failed' ? null : input.lab;
  const stop = lab?.safety_stop ?? null;
  const headline =
    stop === null || lab === null
      ? headlineOf(state, input)
      : `${labLabel(lab)}: ${stopSentence(stop, (at) => clockTime(at, input.now))}`;
  const { service } = input;
  const running = service.phase === 'running' || service.phase === 'attached';
  const restartNeeded = service.phase === 'running' && service.restartNeeded.length > 0;
  const isLost = service.phase === 'attached' && service.lost !== null;
  const parts: MenuInput = {
    lab,
    mutes: input.mutes,
    canBegin: service.phase === 'running' && service.follows === null,
    now: input.now,
  };
  const said = input.notices.map(({ text }): TrayMenuItem => ({ kind: 'text', label: short(text) }));
  return {
    // A stopped lab is never drawn as healthy.
    state: stop === null ? state : 'failed',
    tooltip: [headline, ...differenceOf(lab), ...worstReason(lab, input.now)].join('\n'),
    menu: [
      { kind: 'text', label: short(headline) },
      ...said,
      { kind: 'separator' },
      ...(lab?.managers ?? []).map((manager) => managerItem(manager, parts)),
      ...nodeItems(parts),
      ...maintenanceNodeItems(parts),
      ...(lab && lab.managers.length > 0 ? [{ kind: 'separator' } as const] : []),
      action('Open Dashboard', { do: 'open-dashboard' }),
      action('Open in Browser', { do: 'open-in-browser' }, running),
      copyItem(input.publicUrls),
      action('Check Now', { do: 'check-now' }, running),
      action('Connect to Lab…', { do: 'connect' }),
      ...(input.follows === null ? [] : [action('Use This Machine’s Lab', { do: 'use-own-lab' })]),
      ...(restartNeeded ? [action('Restart Service', { do: 'restart-service' })] : []),
      ...(lab?.followed?.identified === false ? [action('Confirm Machine…', { do: 'confirm-machine' })] : []),
      ...(isLost ? [action('Run the Service in This App', { do: 'serve-here' })] : []),
      { kind: 'separator' },
      action('Safety Stop…', { do: 'safety-stop' }, input.knownNodes > 0),
      ...(input.hasStopReport ? [action('Safety Stop Report…', { do: 'open-stop' })] : []),
      { kind: 'separator' },
      muteItem(null, parts),
      ...maintenanceItem({ kind: 'lab', id: 'lab' }, parts),
      action('Maintenance and Mute…', { do: 'open-maintenance' }),
      action('Settings…', { do: 'open-settings' }),
      action('Open Logs Folder', { do: 'open-logs' }),
      { kind: 'separator' },
      action('Quit', { do: 'quit' }),
    ],
  };
}

/** One address is copied at once; of several the right one depends on who is to use it. */
function copyItem(urls: readonly string[]): TrayMenuItem {
  const label = 'Copy Address for Other Machines';
  const [first] = urls;
  if (first === undefined || urls.length === 1) {
    return action(label, { do: 'copy', text: first ?? '' }, first !== undefined);
  }
  return { kind: 'submenu', label, items: urls.map((url) => action(url, { do: 'copy', text: url })) };
}

function stateOf({ service, lab, heardAt, silentSince, nextTryAt, now }: TrayInput): LabState {
  if (nextTryAt !== null) return 'failed';
  if (silentSince !== null) return 'unknown';
  switch (service.phase) {
    case 'failed':
    case 'settings-error':
    case 'port-taken':
      return 'failed';
    case 'stopped':
    case 'starting':
      return 'starting';
    case 'attached':
    case 'running':
      if (service.phase === 'attached' && service.lost !== null) return 'unknown';
      if (lab === null) return 'starting';
      return heardAt === null || now - heardAt > staleMs ? 'unknown' : lab.state;
  }
}

function headlineOf(state: LabState, { service, lab, silentSince, nextTryAt, now }: TrayInput): string {
  const name = lab === null ? ((service.phase === 'running' ? service.labName : null) ?? 'Lab') : labLabel(lab);
  if (nextTryAt !== null) {
    return `Lab Manager: the service keeps stopping, next try at ${clockTime(nextTryAt, now)}`;
  }
  if (silentSince !== null) {
    return `Lab Manager: the service has not responded since ${clockTime(silentSince, now)}`;
  }
  if (service.phase === 'attached' && service.lost !== null) {
    return `Lab Manager: the service at ${service.url} has not answered since ${clockTime(service.lost.since, now)}`;
  }
  switch (service.phase) {
    case 'settings-error':
      return 'Lab Manager: the settings have errors';
    case 'port-taken':
      return `Lab Manager: port ${service.port} is already in use`;
    case 'failed':
      return `Lab Manager: ${service.reason}`;
    case 'stopped':
    case 'starting':
    case 'running':
    case 'attached':
      break;
  }
  if (state === 'starting') return `${name}: starting`;
  if (state === 'unknown') return `${name}: unknown, checking again`;
  return `${name}: ${labLooks[state].word}, ${lab?.description ?? ''}`;
}

/** What the followed lab manager reports, where that differs. */
function differenceOf(lab: LabStatus | null): string[] {
  const text = lab === null ? null : differenceText(lab);
  return text === null ? [] : [text];
}

/** The reason of the manager that is worst off, with since when. */
function worstReason(lab: LabStatus | null, now: number): string[] {
  const failing = outsideMaintenance(lab?.managers ?? [], lab?.maintenance)
    .filter(({ state }) => state !== 'healthy' && state !== 'unknown')
    .toSorted((a, b) => managerLooks[b.state].severity - managerLooks[a.state].severity);
  const worst = failing[0];
  if (!worst) return [];
  const others = failing.length > 1 ? ` (and ${failing.length - 1} more)` : '';
  return [`${stateLine(worst, now)}${others}`];
}

/** `Resource Manager: Unreachable since 14:02: connection refused (lab-pc:8003)`. */
function stateLine(manager: ManagerStatus, now: number): string {
  const { word } = managerLooks[manager.state];
  if (manager.state === 'healthy') return `${manager.name}: ${word}`;
  const since = manager.since === null ? '' : ` since ${clockTime(Date.parse(manager.since), now)}`;
  const reason = manager.reason === null ? '' : `: ${short(manager.reason.replace(/^Failed to connect: /, ''))}`;
  return `${manager.name}: ${word}${since}${reason}`;
}

function managerItem(manager: ManagerStatus, parts: MenuInput): TrayMenuItem {
  const maintenance = parts.lab === null ? null : managerMaintenance(parts.lab, manager.manager, parts.now);
  const subject = { kind: 'manager', id: manager.manager } as const;
  return {
    kind: 'submenu',
    label: maintenance === null ? stateLine(manager, parts.now) : `${manager.name}: ${maintenance}`,
    items: [
      { kind: 'text', label: manager.url },
      action('Open Its API Page', { do: 'open-manager', url: manager.url }),
      action('Copy Address', { do: 'copy', text: manager.url }),
      muteItem(subject, parts),
      ...maintenanceItem(subject, parts),
    ],
  };
}

/** So many are named; the rest is on the page. */
const mostNodes = 5;

/** `robotarm_1: Error since 14:02: motor stalled` for each node that needs a person. */
function nodeItems(parts: MenuInput): TrayMenuItem[] {
  const inNeed = parts.lab?.activity?.nodes?.in_need ?? [];
  const items = inNeed.slice(0, mostNodes).map(({ name, state, flags, since, reason }): TrayMenuItem => {
    const why = reason === null ? '' : `: ${reason}`;
    const subject = { kind: 'node', id: name } as const;
    return {
      kind: 'submenu',
      label: short(
        `${name}: ${nodeStateText(state, flags ?? [])} since ${clockTime(Date.parse(since), parts.now)}${why}`,
      ),
      items: [openNode(name), muteItem(subject, parts), ...maintenanceItem(subject, parts)],
    };
  });
  const rest = inNeed.length - mostNodes;
  return rest > 0
    ? [...items, action(`${rest} more nodes need attention`, { do: 'open-page', path: '/workcells' })]
    : items;
}

function action(label: string, what: TrayAction, enabled = true): TrayMenuItem {
  return { kind: 'action', label, action: what, enabled };
}

/** Longest text of one line, in characters. */
const maxLength = 120;

/** Menus and tooltips are narrow, and a reason may hold a foreign text. */
function short(reason: string): string {
  return reason.length > maxLength ? `${reason.slice(0, maxLength - 1)}…` : reason;
}
