/** What the app's settings window asks the service, and the answers. Checked on both ways. */
import * as z from 'zod/mini';

/** Longest text of a value, in characters; the longest that is allowed is far below. */
const text = z.string().check(z.maxLength(10_000));
const typed = z.union([text, z.array(text).check(z.maxLength(1000)), z.null()]);
const name = z.string().check(z.maxLength(100));
const settingChanges = z.record(name, typed);
export type SettingChanges = z.infer<typeof settingChanges>;

export const settingsQuestion = z.discriminatedUnion('about', [
  z.object({ about: z.literal('list') }),
  /** Whether what was typed is allowed. */
  z.object({ about: z.literal('check'), name, typed }),
  /** What saving would do: where, and what it would look like. */
  z.object({ about: z.literal('plan'), changes: settingChanges }),
  /** Save what was planned. */
  z.object({ about: z.literal('save'), plan: z.int() }),
  /** Back to what the files were before the last save. */
  z.object({ about: z.literal('undo') }),
  /** The whole path of the file that has a setting. */
  z.object({ about: z.literal('file'), name }),
  /** The addresses of managers in the user configuration. */
  z.object({ about: z.literal('entered') }),
  /** Remove them there. */
  z.object({ about: z.literal('set-aside') }),
]);
export type SettingsQuestion = z.infer<typeof settingsQuestion>;

const value = z.union([z.string(), z.array(z.string())]);

/** A setting as the window shows it. */
const settingRow = z.object({
  name: z.string(),
  title: z.string(),
  section: z.string(),
  help: z.string(),
  kind: z.string(),
  /** What is allowed, in words. */
  expected: z.string(),
  /** What may be chosen, where that is a list. */
  words: z.array(z.string()),
  isOptional: z.boolean(),
  /** What the field holds; of a secret nothing. */
  value,
  /** Of a secret: what may be shown of it. */
  shown: z.nullable(z.string()),
  isDefault: z.boolean(),
  /** What the field holds without anybody's saying, and in words. */
  defaultValue: value,
  defaultWords: z.string(),
  /** `/lab/settings.yaml, line 3` */
  from: z.string(),
  /** Where else it is set, without effect. */
  hidden: z.array(z.string()),
  /** The file that a change goes to where no file has it yet. */
  target: z.string(),
  /** Whether there is a file to open. */
  hasFile: z.boolean(),
  /** What is wrong with its value now. */
  problem: z.nullable(z.string()),
  /** Why a file can't change it, and what would work. */
  outranked: z.nullable(z.object({ why: z.string(), whatWorks: z.string() })),
  needsRestart: z.boolean(),
  /** The six that can be tried as they are typed. */
  manager: z.nullable(z.string()),
});
export type SettingRow = z.infer<typeof settingRow>;

export const settingsList = z.object({
  sections: z.array(z.object({ name: z.string(), settings: z.array(settingRow) })),
  /** What is wrong with the settings as they are, a sentence each: errors first, then what is ignored, such as a misspelt key. */
  problems: z.array(z.object({ severity: z.enum(['error', 'warning']), text: z.string() })),
  /** Where settings of the lab go that are in no file yet, and those of this machine and its secrets. */
  target: z.string(),
  machineTarget: z.string(),
  /** The last save can be taken back. */
  canUndo: z.boolean(),
});
export type SettingsList = z.infer<typeof settingsList>;

export const checkAnswer = z.object({
  ok: z.boolean(),
  /** What is wrong with it, as the end of a sentence; empty when it is allowed. */
  message: z.string(),
});
export type CheckAnswer = z.infer<typeof checkAnswer>;

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
      /** Where the previous version is kept; `null` for a new file. */
      backup: z.nullable(z.string()),
      lines: z.array(diffLine),
    }),
  ),
  saved: z.array(z.object({ name: z.string(), title: z.string(), needsRestart: z.boolean() })),
  /** What can't be saved, and why. */
  refused: z.array(z.object({ name: z.string(), title: z.string(), why: z.string(), whatWorks: z.string() })),
  /** What else one must know. */
  notes: z.array(z.string()),
});
export type PlanView = z.infer<typeof planView>;

export const savedView = z.object({
  files: z.array(z.object({ path: z.string(), backup: z.nullable(z.string()) })),
  /** The settings that count after a restart. */
  needRestart: z.array(z.string()),
});
export type SavedView = z.infer<typeof savedView>;

/** The files that are again what they were before the last save. */
export const undoneView = z.object({ files: z.array(z.string()) });
export type UndoneView = z.infer<typeof undoneView>;

/** Addresses that were entered in the app, each with its file. */
export const enteredAddresses = z.object({
  addresses: z.array(z.object({ title: z.string(), value: z.string(), file: z.string() })),
});
export type EnteredAddresses = z.infer<typeof enteredAddresses>;

/** The whole path, `null` where the setting is in no file. */
export const fileAnswer = z.nullable(z.string());
