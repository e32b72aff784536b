/** The settings as used by the rest of the service: typed values, their origins, and their problems. */
import type { LabContext } from '#api/lab/lab.ts';
import type { SettingOrigin } from '#api/lab/settings.ts';
import type { ManagerKey } from '#api/managers.ts';
import type { SettingName, SettingValues } from './table.ts';

/** The origin of a value; `path` is the full path, only for the desktop's own windows and the command line. */
export interface Origin extends SettingOrigin {
  readonly path: string | null;
}

/** A problem of a file, a variable or an option. All known fields are set. */
export interface SettingsProblem {
  readonly severity: 'error' | 'warning';
  readonly source: SettingOrigin['source'];
  /** Full path of the file, for files. */
  readonly path: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** The setting as spelled by the user: `lab_server_url`, `LAB_SERVER_URL`, `--lab-server-url`. */
  readonly key: string | null;
  /** The value found, as text, secrets redacted. */
  readonly value: string | null;
  /** The problem, in one sentence without a full stop. */
  readonly message: string;
  /** The allowed values or the suggested action, in one sentence without a full stop. */
  readonly expected: string | null;
}

/** One settings value for `/settings`, `--check-settings` and the Lab panel. */
export interface EffectiveSetting {
  /** Unprefixed snake_case, as in MADSci's lab manager: `server_url`; `event_server_url` for addresses. */
  readonly name: string;
  readonly value: unknown;
  readonly isDefault: boolean;
  readonly origin: Origin;
}

/** The inputs of the settings search. Nothing is read from the process itself, so that tests control everything. */
export interface SettingsInputs {
  /** Command line arguments after the program's own. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Constructor arguments: settings by their unprefixed snake_case name; lower priority than the command line. */
  readonly overrides?: Readonly<Record<string, unknown>>;
  /** Settings-directory argument; like `--settings-dir`, which has priority. */
  readonly settingsDir?: string;
  /** The lab folder chosen in the app. */
  readonly labFolder?: string;
  /** `null`: a double-clicked app has no meaningful current directory. */
  readonly cwd: string | null;
  readonly homeDir: string;
  /** The app's own user configuration folder, searched last, without its parents. */
  readonly userConfigDir: string;
  /**
   * `headless`: an unknown option is an error. `desktop`: only an unknown `--lab-*` or `--*-server-url` is; Chromium's
   * and Electron's switches are ignored.
   */
  readonly commandLine: 'headless' | 'desktop';
}

export type SettingsResult =
  | {
      readonly ok: true;
      readonly settings: LabSettings;
      readonly effective: readonly EffectiveSetting[];
      readonly warnings: readonly SettingsProblem[];
      /** The file in which each setting is saved if a file can change it. */
      readonly targets: ReadonlyMap<SettingName, string>;
      /** The warning that the addresses may belong to two labs, if they are mixed. */
      readonly mixed: SettingsProblem | null;
      /** Files that were read, lowest priority first. */
      readonly files: readonly string[];
      /** Directories in which a settings file could appear or change. */
      readonly watchedDirs: readonly string[];
    }
  | {
      readonly ok: false;
      readonly problems: readonly SettingsProblem[];
      readonly warnings: readonly SettingsProblem[];
      readonly files: readonly string[];
      readonly watchedDirs: readonly string[];
    };

/** The source of the dashboard's files: the bundled ones, a configured directory, or none. */
export type DashboardFiles = { kind: 'bundled' } | { kind: 'directory'; path: string } | { kind: 'none' };

/** The settings whose parsed value is used unchanged. */
type Plain = Exclude<SettingName, 'dashboard_files_path' | 'manager_id' | keyof LabContext>;
type FieldName<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<FieldName<Rest>>}`
  : Name;
export type PlainSettings = { readonly [Name in Plain as FieldName<Name>]: SettingValues[Name] };

/** The field of a setting in `LabSettings`: `server_url` → `serverUrl`. */
export const fieldName = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The effective settings by `fieldName`. The table documents meaning, unit and the meaning of `null`.
 * Addresses are WHATWG-normalised http(s) URLs.
 */
export interface LabSettings extends PlainSettings {
  /** The name in titles; the ID registry knows only `managerName`. */
  readonly labName: string | null;
  /** The managers whose addresses no source sets, in a lab that sets others. */
  readonly unsetAddresses: readonly ManagerKey[];
  /** A ULID, generated at start if it is not set. */
  readonly managerId: string;
  readonly dashboardFiles: DashboardFiles;
  /** The response of `/context`. */
  readonly context: LabContext;
}
