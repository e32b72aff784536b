/** The record of a change of a maintenance window in the lab's event log. */
import { maintenanceCommands, type CommandFields } from '../../api/commandRecord.ts';
import { formatRecurrence } from '../../api/lab/maintenance.ts';
import { subjectName, type MaintenanceChange } from './entries.ts';

export interface MaintenanceRecord {
  readonly fields: CommandFields;
  /** `Maintenance of Data Manager until 2026-11-23 16:00 UTC` */
  readonly title: string;
}

/** @param times ms since the epoch: of the request and of the result */
export function maintenanceRecord(
  change: MaintenanceChange,
  times: { readonly sentAt: number; readonly settledAt: number },
  { result, reason }: Pick<CommandFields, 'result' | 'reason'>,
): MaintenanceRecord {
  const name = subjectName(change);
  const until = 'every' in change || change.until === null ? null : new Date(change.until).toISOString();
  return {
    fields: {
      command: getCommand(change),
      target: { kind: change.kind, id: null, name },
      result,
      reason,
      sent_at: new Date(times.sentAt).toISOString(),
      duration_ms: times.settledAt - times.sentAt,
      ...(until !== null && { until }),
    },
    title: describeChange(change, name),
  };
}

function getCommand(change: MaintenanceChange): string {
  if ('every' in change) return change.every === null ? maintenanceCommands.cancel : maintenanceCommands.plan;
  return change.until === null ? maintenanceCommands.end : maintenanceCommands.begin;
}

function describeChange(change: MaintenanceChange, name: string): string {
  if ('every' in change)
    return change.every === null
      ? `Cancellation of the recurring maintenance of ${name}`
      : `Recurring maintenance of ${name} ${formatRecurrence(change.every)}`;
  if (change.until === null) return `End of the maintenance of ${name}`;
  return `Maintenance of ${name} until ${new Date(change.until).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
