/** The settings of an app that shows the lab manager of another program on its machine. */
import type { LabHistory } from '../../api/lab/lab.ts';
import { accountName } from '../commandLog/commandLog.ts';
import { loadSettings } from '../settings/load/load.ts';
import { settingsTable } from '../settings/schema/table.ts';
import type { LabSettings, SettingsInputs, SettingsResult } from '../settings/schema/types.ts';

/** How another lab manager on this machine differs from this app. */
export interface OtherOwner {
  /** The account that runs it; `null` for the account of this app. */
  readonly account: string | null;
  /** Where it saves the addresses of its managers. */
  readonly settingsFile: string;
  /** The same of this app. */
  readonly ownSettingsFile: string;
}

/** The number of calls of `read` from one reading of the files to the next one: about a minute. */
const interval = 12;

/** The file in which addresses of managers are saved, which all have the same target. */
export const managersTarget = ({ targets }: Pick<Extract<SettingsResult, { ok: true }>, 'targets'>): string =>
  targets.get('workcell_server_url') ?? '';

export class OwnSettings {
  notifyChoices: Pick<LabSettings, 'notifyEvents' | 'notifyReminderHours'> = {
    notifyEvents: settingsTable.notify_events.default,
    notifyReminderHours: settingsTable.notify_reminder_hours.default,
  };
  readonly #inputs: SettingsInputs;
  #file: string | null = null;
  #count = 0;

  constructor(inputs: SettingsInputs) {
    this.#inputs = inputs;
  }

  /** Call this about every 5 s: reads the files once a minute. */
  read(): void {
    if (this.#count % interval === 0) void this.#load();
    this.#count += 1;
  }

  /** @returns `null` if it is the same lab of the same account, or unknown */
  compare(owner: LabHistory['owner'] | null): OtherOwner | null {
    return this.#file === null ? null : findOtherOwner(owner, { account: accountName(), file: this.#file });
  }

  async #load(): Promise<void> {
    const loaded = await loadSettings(this.#inputs);
    if (!loaded.ok) return;
    this.notifyChoices = loaded.settings;
    this.#file = managersTarget(loaded);
  }
}

/** @param owner the account and the settings file of the other lab manager */
export function findOtherOwner(
  owner: LabHistory['owner'] | null,
  own: { readonly account: string | null; readonly file: string },
): OtherOwner | null {
  if (!owner) return null;
  const files = { settingsFile: owner.settings_file, ownSettingsFile: own.file };
  if (owner.account !== null && owner.account !== own.account) return { account: owner.account, ...files };
  return owner.settings_file === own.file ? null : { account: null, ...files };
}
