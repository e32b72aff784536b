/** The shell's preferences file: window, tray, lab folder, appearance. It contains no settings of the lab. */
import { rename } from 'node:fs/promises';
import * as z from 'zod/mini';
import { isObject } from '../../api/client/wire.ts';
import { errorText } from '../../api/errorText.ts';
import { parseLabAddress } from '../../server/settings/parse/addresses.ts';
import type { Log } from '../../server/logging/log.ts';
import { closeChoices, themeChoices, timeChoices } from '../ipc/settingsContract.ts';
import { retryWhileLocked } from '../../server/storage/lockedFiles.ts';
import { StateFile } from '../../server/storage/stateFile.ts';

/** The last position of the window. */
const savedBounds = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().check(z.minimum(1)),
  height: z.int().check(z.minimum(1)),
  maximized: z.boolean(),
});
export type SavedBounds = z.infer<typeof savedBounds>;

/** The address of a lab manager: the service and the windows need a valid one, without a password. */
const labAddress = z.pipe(
  z.string(),
  z.transform((text) => {
    const address = parseLabAddress(text);
    if (!address.ok) throw new Error(`the address of a lab manager ${address.message}`);
    return address.value;
  }),
);

const preferences = z.object({
  window: z.nullable(savedBounds),
  /** The folder in which the search for settings starts. */
  labFolder: z.nullable(z.string()),
  /** The lab folders that were chosen, the last one first. */
  recentFolders: z.array(z.string()),
  /** True after a notification that closing the window keeps the app in the tray. */
  trayNoteShown: z.boolean(),
  /** The effect of closing the window without a tray; `null` until the user has chosen. */
  closeWithoutTray: z.nullable(z.enum(['quit', 'minimize'])),
  /** Address of the followed lab manager, `null` for this machine's lab. */
  follow: z.nullable(labAddress),
  /** Lab managers connected to before: the labs of the switcher and the tray. */
  chosenLabs: z.array(z.object({ url: labAddress, name: z.nullable(z.string()) })),
  /** The end of the mute of all the lab's notifications, in ms since the epoch. */
  mutedUntil: z.nullable(z.number()),
  /** The end of the mute of one subject, by its key (`node robotarm_1`). */
  mutedSubjects: z.record(z.string(), z.number()),
  /** The effect of closing the window on a desktop with a tray. */
  closeWindow: z.enum(closeChoices),
  /** The window stays closed at login. Whether the app starts at login is stored by the system. */
  startHidden: z.boolean(),
  notifications: z.boolean(),
  theme: z.enum(themeChoices),
  times: z.enum(timeChoices),
});
export type Preferences = z.infer<typeof preferences>;

const defaults: Preferences = {
  window: null,
  labFolder: null,
  recentFolders: [],
  trayNoteShown: false,
  closeWithoutTray: null,
  follow: null,
  chosenLabs: [],
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
  #pendingChanges: Partial<Preferences> = {};

  /** @param path absolute path of the JSON file; the defaults apply until it is loaded */
  constructor(path: string, log: Log) {
    this.#file = new StateFile(path, 'Preferences', log);
    this.#log = log;
  }

  /**
   * Loads the file; a damaged one is kept as a backup. Never rejects.
   * @returns the reason if it can't be read, else `null`
   */
  load(): Promise<string | null> {
    return this.#file.load(async (text) => {
      if (text === null) return;
      const loaded = await this.#parse(text);
      // A late read doesn't overwrite values changed meanwhile.
      this.#values = { ...loaded, ...this.#pendingChanges };
      if (Object.keys(this.#pendingChanges).length > 0) this.#save(this.#values);
    });
  }

  /** Absolute path of the file. */
  get path(): string {
    return this.#file.path;
  }

  get values(): Preferences {
    return this.#values;
  }

  /** Changes some values and writes the file. If writing fails, the change is lost at the next start. */
  change(changes: Partial<Preferences>): void {
    this.#pendingChanges = { ...this.#pendingChanges, ...changes };
    this.#values = { ...this.#values, ...changes };
    this.#save(this.#values);
  }

  #save(values: Preferences): void {
    this.#file.save(`${JSON.stringify(values, null, 2)}\n`);
  }

  async #parse(text: string): Promise<Preferences> {
    try {
      const content: unknown = JSON.parse(text);
      if (!isObject(content)) throw new Error('it is not a JSON object');
      return preferences.parse({ ...defaults, ...content });
    } catch (error) {
      const backupPath = `${this.path}.broken`;
      this.#log.warn(
        `${this.path} can't be read (${errorText(error)}); it is kept as ${backupPath}, and the defaults apply`,
      );
      // If the backup fails too, the file stays until the next change replaces it.
      await retryWhileLocked('replace', () => rename(this.path, backupPath)).catch((failure: unknown) =>
        this.#log.warn(`${this.path} could not be renamed: ${errorText(failure)}`),
      );
      return defaults;
    }
  }
}
