/** The shell's own small file: window, tray, lab folder, looks. Settings of the lab are not in it. */
import { rename } from 'node:fs/promises';
import * as z from 'zod/mini';
import { errorText } from '../../api/errorText.ts';
import { parseLabAddress } from '../../server/attached/findLabManager.ts';
import type { Log } from '../../server/logging/log.ts';
import { closeChoices, themeChoices, timeChoices } from '../ipc/settingsContract.ts';
import { recentLabs } from '../ipc/contract.ts';
import { StateFile } from '../../server/storage/stateFile.ts';

/** Where the window stood. */
const savedBounds = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().check(z.minimum(1)),
  height: z.int().check(z.minimum(1)),
  maximized: z.boolean(),
});
export type SavedBounds = z.infer<typeof savedBounds>;

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
  readonly #file: StateFile;
  readonly #log: Log;
  #values: Preferences = defaults;
  #changed: Partial<Preferences> = {};

  /** @param path whole path of the JSON file; the defaults hold until it is loaded */
  constructor(path: string, log: Log) {
    this.#file = new StateFile(path, 'Preferences', log);
    this.#log = log;
  }

  /** Takes in the file; a broken one is kept beside it. Never rejects. @returns why it can't be read, `null` when it could */
  load(): Promise<string | null> {
    return this.#file.load(async (text) => {
      if (text === null) return;
      const found = await this.#parse(text);
      // Storage that responds late takes nothing back that was changed meanwhile.
      this.#values = { ...found, ...this.#changed };
      if (Object.keys(this.#changed).length > 0) this.#save(this.#values);
    });
  }

  /** Whole path of the file. */
  get path(): string {
    return this.#file.path;
  }

  get values(): Preferences {
    return this.#values;
  }

  /** Changes some and writes all. A disk that takes nothing costs the change only at the next start. */
  change(changes: Partial<Preferences>): void {
    this.#changed = { ...this.#changed, ...changes };
    this.#values = { ...this.#values, ...changes };
    this.#save(this.#values);
  }

  #save(values: Preferences): void {
    this.#file.save(`${JSON.stringify(values, null, 2)}\n`);
  }

  async #parse(text: string): Promise<Preferences> {
    try {
      const found: unknown = JSON.parse(text);
      return this.#withoutCredentials(preferences.parse({ ...defaults, ...(typeof found === 'object' ? found : {}) }));
    } catch (error) {
      const backupPath = `${this.path}.broken`;
      this.#log.warn(
        `${this.path} can't be read (${errorText(error)}); it is kept as ${backupPath}, and the defaults hold`,
      );
      // Where even that can't be done the file stays, and the next change replaces it.
      await rename(this.path, backupPath).catch((failure: unknown) =>
        this.#log.warn(`${this.path} could not be renamed: ${errorText(failure)}`),
      );
      return defaults;
    }
  }

  /** Earlier versions took an address with a password in it; it must not stay on the disk. */
  #withoutCredentials(values: Preferences): Preferences {
    const { follow } = values;
    if (follow === null || parseLabAddress(follow).ok) return values;
    this.#log.warn('The address of the other lab manager can’t be used (it may hold a password) and was removed');
    const cleaned = { ...values, follow: null };
    this.#save({ ...cleaned, ...this.#changed });
    return cleaned;
  }
}
