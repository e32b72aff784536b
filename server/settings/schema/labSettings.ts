/** The settings in force, as the rest of the service uses them. */
import type { LabContext } from '../../../api/lab/lab.ts';
import type { SettingName, settingsTable, SettingValues } from './table.ts';

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
