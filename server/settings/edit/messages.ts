/** The requests of the app's settings window and the service's replies. Both sides validate them. */
import * as z from 'zod/mini';

/** A text in a message. Its maximum length, in characters, is far above that of the longest valid value. */
const text = z.string().check(z.maxLength(10_000));
const enteredValue = z.union([text, z.array(text).check(z.maxLength(2000)), z.null()]);
const name = z.string().check(z.maxLength(100));
const settingChanges = z.record(name, enteredValue);
export type SettingChanges = z.infer<typeof settingChanges>;

export const settingsRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('list') }),
  /** Checks whether a typed value is valid. */
  z.object({ kind: z.literal('check'), name, input: enteredValue }),
  /** Returns the plan of a save: the files and their changes. */
  z.object({ kind: z.literal('plan'), changes: settingChanges }),
  /** Saves a plan. */
  z.object({ kind: z.literal('save'), plan: z.int() }),
  /** Restores the files from before the last save. */
  z.object({ kind: z.literal('undo') }),
  /** Returns the full path of the file that contains a setting. */
  z.object({ kind: z.literal('file'), name }),
  /** Returns the addresses of managers in the user configuration. */
  z.object({ kind: z.literal('entered') }),
  /** Removes these addresses. */
  z.object({ kind: z.literal('set-aside') }),
]);
export type SettingsRequest = z.infer<typeof settingsRequest>;

const value = z.union([z.string(), z.array(z.string())]);

/** A setting as shown in the window. */
const settingRow = z.object({
  name: z.string(),
  title: z.string(),
  section: z.string(),
  help: z.string(),
  kind: z.string(),
  /** A text with the allowed values. */
  expected: z.string(),
  /** The allowed values if there is a fixed list. */
  allowedValues: z.array(z.string()),
  isOptional: z.boolean(),
  /** The content of the field; empty for a secret. */
  value,
  /** The displayable part of a secret. */
  displayedSecret: z.nullable(z.string()),
  isDefault: z.boolean(),
  /** The content of the field for the default value, and its text. */
  defaultValue: value,
  defaultText: z.string(),
  /** `/lab/settings.yaml, line 3` */
  origin: z.string(),
  /** Other places that set it without effect. */
  overriddenOrigins: z.array(z.string()),
  /** The file for a change if no file sets the value yet. */
  target: z.string(),
  /** Whether there is a file to open. */
  hasFile: z.boolean(),
  /** The error of its current value. */
  problem: z.nullable(z.string()),
  /** The reason why a file cannot change it, and a suggestion. */
  override: z.nullable(z.object({ reason: z.string(), suggestion: z.string() })),
  needsRestart: z.boolean(),
  /** The manager of an address that can be tested while typed. */
  manager: z.nullable(z.string()),
});
export type SettingRow = z.infer<typeof settingRow>;

export const settingsList = z.object({
  sections: z.array(z.object({ name: z.string(), settings: z.array(settingRow) })),
  /** The problems of the current settings, one sentence each: errors first, then ignored keys such as misspelt ones. */
  problems: z.array(z.object({ severity: z.enum(['error', 'warning']), text: z.string() })),
  /** The files for new settings of the lab, and for new settings of this machine and its secrets. */
  target: z.string(),
  machineTarget: z.string(),
  /** Whether the last save can be undone. */
  canUndo: z.boolean(),
});
export type SettingsList = z.infer<typeof settingsList>;

export const checkReply = z.object({
  ok: z.boolean(),
  /** The error as the end of a sentence; empty if the value is valid. */
  message: z.string(),
});
export type CheckReply = z.infer<typeof checkReply>;

const diffLine = z.object({
  kind: z.enum(['same', 'added', 'removed', 'gap']),
  text: z.string(),
});
export type DiffLine = z.infer<typeof diffLine>;

export const planView = z.object({
  id: z.int(),
  files: z.array(
    z.object({
      path: z.string(),
      isNew: z.boolean(),
      /** Path of the backup of the previous version; `null` for a new file. */
      backup: z.nullable(z.string()),
      lines: z.array(diffLine),
    }),
  ),
  saved: z.array(z.object({ name: z.string(), title: z.string(), needsRestart: z.boolean() })),
  /** The changes that cannot be saved, with the reasons. */
  refused: z.array(z.object({ name: z.string(), title: z.string(), reason: z.string(), suggestion: z.string() })),
  /** Additional notes for the user. */
  notes: z.array(z.string()),
});
export type PlanView = z.infer<typeof planView>;

export const savedView = z.object({
  files: z.array(z.object({ path: z.string(), backup: z.nullable(z.string()) })),
  /** The settings that take effect after a restart. */
  needRestart: z.array(z.string()),
});
export type SavedView = z.infer<typeof savedView>;

/** The restored files. */
export const undoneView = z.object({ files: z.array(z.string()) });
export type UndoneView = z.infer<typeof undoneView>;

/** Addresses entered in the app, each with its file. */
export const enteredAddresses = z.object({
  addresses: z.array(z.object({ title: z.string(), value: z.string(), file: z.string() })),
});
export type EnteredAddresses = z.infer<typeof enteredAddresses>;

/** The full path, `null` if the setting is in no file. */
export const fileReply = z.nullable(z.string());
