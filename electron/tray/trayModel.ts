/** What the tray shows for a state of the lab: icon, tooltip, menu. Pure; `tray.ts` draws it. */
import type { LabStatus, ManagerStatus } from '../../api/lab.ts';
import { labLooks, managerLooks, type LabState } from '../../api/states.ts';
import type { ServiceStatus } from '../../server/status.ts';

export type TrayAction =
  | { readonly do: 'open-dashboard' }
  | { readonly do: 'open-in-browser' }
  | { readonly do: 'open-manager'; readonly url: string }
  | { readonly do: 'copy'; readonly text: string }
  | { readonly do: 'check-now' }
  | { readonly do: 'open-logs' }
  | { readonly do: 'quit' };

export type TrayMenuItem =
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'separator' }
  | { readonly kind: 'action'; readonly label: string; readonly action: TrayAction; readonly enabled: boolean }
  | { readonly kind: 'submenu'; readonly label: string; readonly items: readonly TrayMenuItem[] };

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
  readonly now: number;
  /** The address that other machines use; `null` while there is none. */
  readonly publicUrl: string | null;
}

/** A state that wasn't heard for this long says nothing any more, in milliseconds. */
export const staleMs = 20_000;

export function trayModel(input: TrayInput): TrayModel {
  const state = stateOf(input);
  const headline = headlineOf(state, input);
  const lab = state === 'failed' ? null : input.lab;
  const running = input.service.phase === 'running' || input.service.phase === 'attached';
  const { publicUrl } = input;
  return {
    state,
    tooltip: [headline, ...worstReason(lab, input.now)].join('\n'),
    menu: [
      { kind: 'text', label: headline },
      { kind: 'separator' },
      ...(lab?.managers ?? []).map((manager) => managerItem(manager, input.now)),
      ...(lab && lab.managers.length > 0 ? [{ kind: 'separator' } as const] : []),
      action('Open Dashboard', { do: 'open-dashboard' }),
      action('Open in Browser', { do: 'open-in-browser' }, running),
      action('Copy Address for Other Machines', { do: 'copy', text: publicUrl ?? '' }, publicUrl !== null),
      action('Check Now', { do: 'check-now' }, running),
      action('Open Logs Folder', { do: 'open-logs' }),
      { kind: 'separator' },
      action('Quit', { do: 'quit' }),
    ],
  };
}

function stateOf({ service, lab, heardAt, now }: TrayInput): LabState {
  switch (service.phase) {
    case 'failed':
    case 'settings-error':
    case 'port-taken':
      return 'failed';
    case 'stopped':
    case 'starting':
      return 'starting';
    case 'running':
    case 'attached':
      if (lab === null) return 'starting';
      return heardAt === null || now - heardAt > staleMs ? 'unknown' : lab.state;
  }
}

function headlineOf(state: LabState, { service, lab }: TrayInput): string {
  const name = lab?.lab_name ?? (service.phase === 'running' ? service.labName : null) ?? 'Lab';
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

/** The reason of the manager that is worst off, with since when. */
function worstReason(lab: LabStatus | null, now: number): string[] {
  const failing = (lab?.managers ?? [])
    .filter((manager) => manager.state !== 'healthy' && manager.state !== 'unknown')
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
  const since = manager.since === null ? '' : ` since ${clock(manager.since, now)}`;
  const reason = manager.reason === null ? '' : `: ${short(manager.reason.replace(/^Failed to connect: /, ''))}`;
  return `${manager.name}: ${word}${since}${reason}`;
}

function managerItem(manager: ManagerStatus, now: number): TrayMenuItem {
  return {
    kind: 'submenu',
    label: stateLine(manager, now),
    items: [
      { kind: 'text', label: manager.url },
      action('Open Its API Page', { do: 'open-manager', url: manager.url }),
      action('Copy Address', { do: 'copy', text: manager.url }),
    ],
  };
}

function action(label: string, what: TrayAction, enabled = true): TrayMenuItem {
  return { kind: 'action', label, action: what, enabled };
}

/** Local 24 h time, with the date when it isn't today's. */
export function clock(iso: string, now: number): string {
  const at = new Date(iso);
  const pad = (n: number) => String(n).padStart(2, '0');
  const time = `${pad(at.getHours())}:${pad(at.getMinutes())}`;
  const isToday = at.toDateString() === new Date(now).toDateString();
  return isToday ? time : `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${time}`;
}

/** Menus and tooltips are narrow, and a reason may hold a foreign text. */
function short(reason: string): string {
  return reason.length > 90 ? `${reason.slice(0, 89)}…` : reason;
}
