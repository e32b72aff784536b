/** The record of a change of a maintenance window in the lab's event log. Pure. */
import { maintenanceCommands, type CommandFields } from '../../api/commandRecord.ts';
import type { MaintenanceSubject } from '../../api/lab/lab.ts';
import { managerKeys, managerTitle } from '../../api/managers.ts';
import type { MaintenanceChange } from './entries.ts';

export interface MaintenanceRecord {
  readonly fields: CommandFields;
  /** `Maintenance of Data Manager until 2026-11-23 16:00 UTC` */
  readonly title: string;
}

export function subjectName({ kind, id }: MaintenanceSubject): string {
  if (kind === 'lab') return 'the lab';
  const manager = kind === 'manager' ? managerKeys.find((key) => key === id) : undefined;
  return manager === undefined ? id : managerTitle(manager);
}

/** @param times ms since the epoch: of the request and of the result */
export function maintenanceRecord(
  { kind, id, until }: MaintenanceChange,
  times: { readonly sentAt: number; readonly settledAt: number },
  { result, reason }: Pick<CommandFields, 'result' | 'reason'>,
): MaintenanceRecord {
  const name = subjectName({ kind, id });
  const end = until === null ? null : new Date(until).toISOString();
  return {
    fields: {
      command: until === null ? maintenanceCommands.end : maintenanceCommands.begin,
      target: { kind, id: null, name },
      result,
      reason,
      sent_at: new Date(times.sentAt).toISOString(),
      duration_ms: times.settledAt - times.sentAt,
      ...(end !== null && { until: end }),
    },
    title:
      end === null
        ? `End of the maintenance of ${name}`
        : `Maintenance of ${name} until ${end.slice(0, 16).replace('T', ' ')} UTC`,
  };
}
