/** The fields of a row in the table of settings. */
import type * as z from 'zod';

/** The kind of a setting's value; `values.ts` has one parser for each. */
export type SettingKind =
  | 'url'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'text'
  /** Text with line breaks. */
  | 'lines'
  | 'host'
  | 'hosts'
  | 'level'
  | 'path'
  | 'file'
  | 'networks'
  | 'ipAddress'
  | 'database'
  | 'origins'
  | 'webhooks'
  | 'publicKey'
  | 'timeZone'
  | 'groupRoles'
  | 'labs'
  | 'word'
  | 'words';

/** Headings of `--help`, the documentation and the template file, in this order. */
export const sections = [
  'Lab',
  'Listening',
  'Remote access',
  'Two servers',
  'Dashboard',
  'Notifications',
  'Logging',
  'OpenTelemetry',
  'Updates',
  'Rate limit',
  'Time zones',
  'Service addresses',
] as const;
type Section = (typeof sections)[number];

/**
 * `lab`: a setting of the lab manager: prefix `lab_` in files (may be left out), `LAB_` in the environment.
 * `address`: an address for `/context`: no prefix anywhere.
 * `contextOnly`: `lab_server_url` of a `context.*` file, which changes `/context` alone; everywhere else that key is
 * the prefixed spelling of `server_url`.
 */
type SettingScope = 'lab' | 'address' | 'contextOnly';

/** A row of the table: all data of one setting except its name, which is the key. */
export interface Definition<Schema extends z.ZodType> {
  readonly scope: SettingScope;
  readonly kind: SettingKind;
  readonly section: Section;
  /** The schema of a valid parsed value; one that accepts `null` makes the setting optional. */
  readonly schema: Schema;
  readonly default: z.output<Schema>;
  /** One sentence for `--help` and the documentation, without a full stop. */
  readonly help: string;
  /** An example value in YAML notation. */
  readonly example: string;
  /** Whether the value grants access: its secret parts are never shown. */
  readonly isSecret: boolean;
  /**
   * Whether the setting belongs to this machine and its user, not to the lab, so that it is saved in the user
   * configuration.
   */
  readonly isMachineSpecific: boolean;
  /** Whether MADSci's lab manager has the setting too, so that its bare option (`--server_url`) is also accepted. */
  readonly hasBareOption: boolean;
  /** Whether a change takes effect only after the service listens again. */
  readonly needsRestart: boolean;
}

type Defaults = 'scope' | 'isSecret' | 'isMachineSpecific' | 'hasBareOption' | 'needsRestart';
type Row<Schema extends z.ZodType> = Omit<Definition<Schema>, Defaults | 'section'> &
  Partial<Pick<Definition<Schema>, Defaults>>;

/** Returns a function that creates the rows of a section, with the exact types of their schemas. */
export function defineIn(section: Section): <Schema extends z.ZodType>(row: Row<Schema>) => Definition<Schema> {
  return (row) => ({
    scope: 'lab',
    section,
    isSecret: false,
    // A secret belongs to a person, and a lab's folder is often shared.
    isMachineSpecific: row.isSecret ?? false,
    hasBareOption: false,
    needsRestart: false,
    ...row,
  });
}
