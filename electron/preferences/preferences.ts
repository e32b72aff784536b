/** The shell's own small file: window, tray, lab folder, looks. Settings of the lab are not in it. */
import { existsSync, readFileSync, renameSync } from 'node:fs';
import * as z from 'zod/mini';
import { parseLabAddress } from '../../server/attached/findLabManager.ts';
import { errorText, type Log } from '../../server/logging/log.ts';
import { closeChoices, themeChoices, timeChoices } from '../ipc/settingsContract.ts';
import { recentLabs } from '../ipc/contract.ts';
import { savedBounds } from '../window/savedBounds.ts';
import { replaceFileSync } from './replaceFile.ts';

const preferences = z.object({
  window: z.nullable(savedBounds),
  /** The folder in which the search for settings starts. */
  labFolder: z.nullable(z.string()),
  /** Somebody was told that closing the window leaves the app in the tray. */
  trayNoteShown: z.boolean(),
  /** What closing the window does where no tray is; `null` until somebody was asked. */
  closeWithoutTray: z.nullable(z.enum(['quit', 'minimize'])),
  /** Address of a lab manager on another machine whose lab is shown instead of an own one. */
  follow: z.nullable(z.string()),
  /** Lab managers that were connected to, the last first. */
  recentLabs,
  /** Until when no notification of the lab is shown, in ms since the epoch. */
  mutedUntil: z.nullable(z.number()),
  /** The same of one thing, by its key (`node robotarm_1`). */
  mutedSubjects: z.record(z.string(), z.number()),
  /** What closing the window does where there is a tray. */
  closeWindow: z.enum(closeChoices),
  /** At login the window stays closed. Whether the app starts then, the system knows. */
  startHidden: z.boolean(),
  notifications: z.boolean(),
  theme: z.enum(themeChoices),
  times: z.enum(timeChoices),
});
export type Preferences = z.infer<typeof preferences>;

const defaults: Preferences = {
  window: null,
  labFolder: null,
  trayNoteShown: false,
  closeWithoutTray: null,
  follow: null,
  recentLabs: [],
  mutedUntil: null,
  mutedSubjects: {},
  closeWindow: 'tray',
  startHidden: true,
  notifications: true,
  theme: 'system',
  times: 'dashboard',
};

export class PreferencesFile {
  readonly #path: string;
  readonly #log: Log;
  #values: Preferences;

  /** @param path whole path of the JSON file; a broken one is kept beside it, and the defaults hold */
  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
    this.#values = this.#read();
  }

  /** Whole path of the file. */
  get path(): string {
    return this.#path;
  }

  get values(): Preferences {
    return this.#values;
  }

  /** Changes some and writes all, by a temporary file. A disk that takes nothing costs the change only at the next start. */
  change(changes: Partial<Preferences>): void {
    this.#values = { ...this.#values, ...changes };
    try {
      replaceFileSync(this.#path, `${JSON.stringify(this.#values, null, 2)}\n`);
    } catch (error) {
      this.#log.warn(`Preferences could not be saved: ${errorText(error)}`);
    }
  }

  /** Where even that can't be done the file stays, and the next change replaces it. */
  #putAside(kept: string): void {
    try {
      renameSync(this.#path, kept);
    } catch (error) {
      this.#log.warn(`${this.#path} could not be renamed: ${errorText(error)}`);
    }
  }

  /** Earlier versions took an address with a password in it; it must not stay on the disk. */
  #withoutCredentials(values: Preferences): Preferences {
    const { follow } = values;
    if (follow === null || parseLabAddress(follow).ok) return values;
    this.#log.warn('The address of the other lab manager can’t be used (it may hold a password) and was removed');
    const cleaned = { ...values, follow: null };
    try {
      replaceFileSync(this.#path, `${JSON.stringify(cleaned, null, 2)}\n`);
    } catch (error) {
      this.#log.warn(`Preferences could not be saved: ${errorText(error)}`);
    }
    return cleaned;
  }

  #read(): Preferences {
    if (!existsSync(this.#path)) return defaults;
    try {
      const found: unknown = JSON.parse(readFileSync(this.#path, 'utf8'));
      return this.#withoutCredentials(preferences.parse({ ...defaults, ...(typeof found === 'object' ? found : {}) }));
    } catch (error) {
      const kept = `${this.#path}.broken`;
      this.#log.warn(`${this.#path} can't be read (${errorText(error)}); it is kept as ${kept}, and the defaults hold`);
      this.#putAside(kept);
      return defaults;
    }
  }
}
