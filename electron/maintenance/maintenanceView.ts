/** The content of the window "Maintenance and Mute". */
import { managerKeys, managerTitle } from '../../api/managers.ts';
import type { LabStatus } from '../../api/lab/lab.ts';
import { subjectKey } from '../../api/lab/maintenance.ts';
import type { ServiceStatus } from '../../server/status.ts';
import type { PageOf } from '../ipc/contract.ts';
import { isMuted, type Mutes } from '../notifications/notifications.ts';

export interface MaintenanceInput {
  readonly status: ServiceStatus;
  readonly lab: LabStatus | null;
  /** The names of the known nodes. */
  readonly nodes: readonly string[];
  readonly mutes: Mutes;
  /** ms since the epoch */
  readonly now: number;
}

export function createMaintenancePage({ status, lab, nodes, mutes, now }: MaintenanceInput): PageOf<'maintenance'> {
  const managers = lab?.managers.map(({ manager }) => manager) ?? managerKeys;
  const nodesInNeed = lab?.activity?.nodes?.in_need.map(({ name }) => name) ?? [];
  const maintenance = lab?.maintenance ?? [];
  const planned = lab?.planned_maintenance ?? [];
  const nodesInMaintenance = [...maintenance, ...planned].filter(({ kind }) => kind === 'node').map(({ id }) => id);
  const names = [...new Set([...nodes, ...nodesInNeed, ...nodesInMaintenance])].toSorted((a, b) => a.localeCompare(b));
  const subjects = [
    { kind: 'lab' as const, id: 'lab', name: 'The lab' },
    ...managers.map((id) => ({ kind: 'manager' as const, id, name: managerTitle(id) })),
    ...names.map((id) => ({ kind: 'node' as const, id, name: id })),
  ];
  // A subject that no longer exists in the lab is shown with the name from its key.
  const findName = (key: string) =>
    subjects.find((subject) => subjectKey(subject) === key)?.name ?? key.replace(/^\w+ /, '');
  return {
    page: 'maintenance',
    subjects,
    maintenanceRefusal: unavailableReason(status),
    inMaintenance: maintenance.map((entry) => ({
      ...entry,
      from: Date.parse(entry.from),
      until: Date.parse(entry.until),
    })),
    planned: planned.map(({ kind, id, name, from, every }) => ({ kind, id, name, from: Date.parse(from), every })),
    muted: [
      ...(isMuted(mutes.mutedUntil, now) && mutes.mutedUntil !== null
        ? [{ key: null, name: 'All notifications', until: mutes.mutedUntil }]
        : []),
      ...Object.entries(mutes.mutedSubjects)
        .filter(([, until]) => isMuted(until, now))
        .map(([key, until]) => ({ key, name: findName(key), until })),
    ],
  };
}

/** Returns the reason why maintenance can't be set here; `null` if it can. */
function unavailableReason(status: ServiceStatus): string | null {
  switch (status.phase) {
    case 'running':
      return status.followedUrl === null
        ? null
        : `The lab is that of the lab manager at ${status.followedUrl}. Start maintenance there; it is shown here, too.`;
    case 'attached':
      return 'The lab is watched by another lab manager of this machine. Start maintenance with --maintenance, as the account that it runs as; for the service of the Debian package: sudo lab-manager --maintenance data --until 2h';
    case 'stopped':
    case 'starting':
    case 'failed':
    case 'settings-error':
    case 'port-taken':
      return 'The lab manager service doesn’t run, so nothing can be put into maintenance.';
  }
}
