/** The tray's menu items for mutes and maintenance. */
import type { MaintenanceSubject, LabStatus, Maintenance } from '../../api/lab/lab.ts';
import { findMaintenance, subjectKey } from '../../api/lab/maintenance.ts';
import { maintenanceAppearance } from '../../api/states.ts';
import { formatShellTime } from '../preferences/clockTime.ts';
import { endChoices, type AppCommand, type EndChoice } from '../ipc/commands.ts';
import { choiceLabels } from '../maintenance/endTimes.ts';
import { isMuted, type Mutes } from '../notifications/notifications.ts';
import { commandItem, type TrayMenuItem } from './trayMenuItem.ts';

export interface MaintenanceInput {
  readonly lab: LabStatus | null;
  readonly mutes: Mutes;
  /** Whether this app's service can set maintenance. */
  readonly canSetMaintenance: boolean;
  readonly now: number;
}

const submenu = (label: string, createCommand: (choice: EndChoice) => AppCommand): TrayMenuItem => ({
  kind: 'submenu',
  label,
  items: endChoices.map((choice) => commandItem(choiceLabels[choice], createCommand(choice))),
});

/**
 * Returns the maintenance item for the submenu of a manager or a node, or for the lab at the top level; none if the
 * service cannot set maintenance.
 */
export function maintenanceItem(
  subject: MaintenanceSubject,
  { lab, canSetMaintenance, now }: MaintenanceInput,
): TrayMenuItem[] {
  if (!canSetMaintenance) return [];
  const current = (lab?.maintenance ?? []).find(({ kind, id }) => kind === subject.kind && id === subject.id);
  const label = subject.kind === 'lab' ? 'Maintenance of the Lab' : 'Maintenance';
  if (current === undefined) return [submenu(label, (until) => ({ command: 'set-maintenance', ...subject, until }))];
  return [
    commandItem(`End ${label} (${untilText(current, now)})`, { command: 'set-maintenance', ...subject, until: null }),
  ];
}

/** Returns the mute item of one subject, or of all notifications (`null`). */
export function muteItem(subject: MaintenanceSubject | null, { mutes, now }: MaintenanceInput): TrayMenuItem {
  const key = subject === null ? null : subjectKey(subject);
  const until = key === null ? mutes.mutedUntil : (mutes.mutedSubjects[key] ?? null);
  const label = key === null ? 'Notifications' : 'Its Notifications';
  if (until === null || !isMuted(until, now))
    return submenu(`Mute ${label}`, (end) => ({ command: 'set-mute', key, until: end }));
  return commandItem(`Unmute ${label} (muted until ${formatShellTime(until, now)})`, {
    command: 'set-mute',
    key,
    until: null,
  });
}

/** Returns a submenu for each node that has its own maintenance: it opens the node's page or ends the maintenance. */
export function maintenanceNodeItems(input: MaintenanceInput): TrayMenuItem[] {
  return (input.lab?.maintenance ?? [])
    .filter(({ kind }) => kind === 'node')
    .map((maintenance) => ({
      kind: 'submenu',
      label: `${maintenance.name}: ${maintenanceText(maintenance, input.now)}`,
      items: [openNodeItem(maintenance.id), ...maintenanceItem({ kind: 'node', id: maintenance.id }, input)],
    }));
}

export function openNodeItem(name: string): TrayMenuItem {
  return commandItem('Open Its Page', { command: 'open-page', path: `/workcells/nodes/${encodeURIComponent(name)}` });
}

/** Returns `Maintenance until 16:00` for a manager in maintenance, its own or the lab's; `null` for others. */
export function managerMaintenanceText(lab: LabStatus, manager: string, now: number): string | null {
  const maintenance = findMaintenance(lab.maintenance, 'manager', manager);
  return maintenance === null ? null : maintenanceText(maintenance, now);
}

function maintenanceText(maintenance: Maintenance, now: number): string {
  return `${maintenanceAppearance.label} ${untilText(maintenance, now)}`;
}

function untilText({ until }: Maintenance, now: number): string {
  return `until ${formatShellTime(Date.parse(until), now)}`;
}
