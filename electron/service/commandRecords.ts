/** Records this app's commands in the lab's event log; pending records are stored in the user configuration folder. */
import { join } from 'node:path';
import type { CommandFields } from '../../api/commandRecord.ts';
import { getHostClock, type LabStatus } from '../../api/lab/lab.ts';
import { CommandLog } from '../../server/commandLog/commandLog.ts';
import type { Log } from '../../server/logging/log.ts';

export interface CommandRecords extends Pick<CommandLog, 'flush' | 'stop'> {
  /** See `CommandLog.record`. */
  readonly record: (facts: CommandFields, what: string, eventManager?: string | null) => string;
}

/** @param lab returns the lab from the service's last report */
export function openCommandRecords(configDir: string, lab: () => LabStatus | null, log: Log): CommandRecords {
  const commandLog = new CommandLog({
    folder: join(configDir, 'commands'),
    eventManager: () => lab()?.managers.find(({ manager }) => manager === 'event')?.url ?? null,
    clock: () => getHostClock(lab(), 'event'),
    log,
  });
  commandLog.start();
  return {
    record: (facts, what, eventManager) =>
      commandLog.record({ ...facts, application: 'desktop app' }, what, eventManager ?? undefined),
    flush: () => commandLog.flush(),
    stop: () => commandLog.stop(),
  };
}
