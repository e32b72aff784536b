/** Sets maintenance through the service, and records the result in the lab's event log. */
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import type { CommandFields } from '../../api/commandRecord.ts';
import type { CommandRecords } from '../service/commandRecords.ts';
import type { MaintenanceChange } from '../../server/maintenance/entries.ts';
import { maintenanceRecord } from '../../server/maintenance/maintenanceRecord.ts';

interface MaintenanceApp {
  readonly service: { readonly setMaintenance: (change: MaintenanceChange) => Promise<void> };
  readonly commands: Pick<CommandRecords, 'record'>;
}

/** Starts, ends, plans or cancels maintenance. @throws Error with a user-facing message; nothing is changed then */
export async function setMaintenance(app: MaintenanceApp, change: MaintenanceChange): Promise<void> {
  const sentAt = clock.now();
  const record = (result: Pick<CommandFields, 'result' | 'reason'>): void => {
    const { fields, title } = maintenanceRecord(change, { sentAt, settledAt: clock.now() }, result);
    app.commands.record(fields, title);
  };
  try {
    await app.service.setMaintenance(change);
  } catch (error) {
    record({ result: 'failed', reason: errorText(error) });
    throw error;
  }
  record({ result: 'done', reason: '' });
}
