/** The settings as the rest of the service sees them: typed values, where each came from, and what is wrong with them. */
import type { LabContext } from '../../../api/lab/lab.ts';
import type { SettingOrigin } from '../../../api/lab/settings.ts';
import type { SettingName, settingsTable, SettingValues } from './table.ts';

/** Where a value came from; `path` is the whole path, for the desktop's own windows and the command line only. */
export interface Origin extends SettingOrigin {
  readonly path: string | null;
}

/** Something wrong with a file, a variable or an option. Every field that is known is given. */
export interface SettingsProblem {
  readonly severity: 'error' | 'warning';
  readonly source: SettingOrigin['source'];
  /** Whole path of the file, for files. */
  readonly path: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** The setting as the user wrote it: `lab_server_url`, `LAB_SERVER_URL`, `--lab-server-url`. */
  readonly key: string | null;
  /** The value found, as text, secrets redacted. */
  readonly value: string | null;
  /** What is wrong, in one sentence without a full stop. */
  readonly message: string;
  /** What is allowed or what to do, in one sentence without a full stop. */
  readonly expected: string | null;
}

/** One settings value for `/settings`, `--check-settings` and the Lab panel. */
export interface EffectiveSetting {
  /** Unprefixed snake_case, as the real service names it: `server_url`; `event_server_url` for addresses. */
  readonly name: string;
  readonly value: unknown;
  readonly isDefault: boolean;
  readonly origin: Origin;
}

/** Where to look for settings. Nothing here is read from the process, so that tests can say it all. */
export interface SettingsInputs {
  /** Command line arguments after the program's own. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Constructor arguments: settings by their unprefixed snake_case name; rank below the command line. */
  readonly overrides?: Readonly<Record<string, unknown>>;
  /** Settings-directory argument; ranks as `--settings-dir`, which beats it. */
  readonly settingsDir?: string;
  /** The lab folder chosen in the app. */
  readonly labFolder?: string;
  /** `null`: a double-clicked app has no meaningful current directory. */
  readonly cwd: string | null;
  readonly homeDir: string;
  /** The app's own user configuration folder, looked at last, without walking up. */
  readonly userConfigDir: string;
  /**
   * `headless`: an unknown option is an error. `desktop`: only an unknown `--lab-*` or `--*-server-url` is;
   * Chromium's and Electron's switches are left alone.
   */
  readonly commandLine: 'headless' | 'desktop';
}

export type SettingsResult =
  | {
      readonly ok: true;
      readonly settings: LabSettings;
      readonly effective: readonly EffectiveSetting[];
      readonly warnings: readonly SettingsProblem[];
      /** The file that each setting is saved to where a file can change it. */
      readonly targets: ReadonlyMap<SettingName, string>;
      /** The warning that the addresses may be those of two labs, where they are mixed. */
      readonly mixed: SettingsProblem | null;
      /** Files that were read, lowest rank first. */
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

/** Where the dashboard's files come from: ours, a directory of the user's, or nowhere. */
export type DashboardFiles = { kind: 'bundled' } | { kind: 'directory'; path: string } | { kind: 'none' };

/** The settings whose value is used as it is written. */
type Plain = Exclude<SettingName, 'dashboard_files_path' | 'manager_id' | keyof LabContext>;
export type PlainSettings = { readonly [Name in Plain as (typeof settingsTable)[Name]['field']]: SettingValues[Name] };

/**
 * The effective settings, by the field names of the table; what each means, its unit and when it is `null` stands there.
 * Addresses are WHATWG-normalised http(s) URLs.
 */
export interface LabSettings extends PlainSettings {
  /** A ULID, generated at start when not set. */
  readonly managerId: string;
  readonly dashboardFiles: DashboardFiles;
  /** What `/context` answers. */
  readonly context: LabContext;
}
