/** What a row of the table of settings is made of. */
import type * as z from 'zod';

/** How a setting is written by people; `values.ts` has one parser for each. */
export type SettingKind =
  | 'url'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'text'
  | 'host'
  | 'hosts'
  | 'level'
  | 'path'
  | 'networks'
  | 'origins'
  | 'webhooks'
  | 'publicKey'
  | 'timeZone'
  | 'word'
  | 'words';

/** Headings of `--help`, the documentation and the template file, in this order. */
export const sections = [
  'Lab',
  'Listening',
  'Dashboard',
  'Notifications',
  'Logging',
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

/** A row of the table: everything about one setting but its name, which is its key. */
export interface Definition<Field extends string, Schema extends z.ZodType> {
  readonly scope: SettingScope;
  /** Where the value goes in `LabSettings`. */
  readonly field: Field;
  readonly kind: SettingKind;
  readonly section: Section;
  /** What a valid value is, once parsed; a schema that takes `null` makes the setting optional. */
  readonly schema: Schema;
  readonly default: z.output<Schema>;
  /** One sentence for `--help` and the documentation, without a full stop. */
  readonly help: string;
  /** A value as one would write it in YAML. */
  readonly example: string;
  /** Whoever knows its value can use it: it is shown without what makes it a secret. */
  readonly secret: boolean;
  /** It is of this machine and person, not of the lab: saved in the user configuration, not in the lab's folder. */
  readonly isOfMachine: boolean;
  /** Whether the real service has it too, and therefore its bare option (`--server_url`) is taken as well. */
  readonly bareOption: boolean;
  /** A change takes effect only when the service listens anew. */
  readonly needsRestart: boolean;
}

/** A row with the usual answers filled in; keeps the exact types of field and schema. */
export function define<const Field extends string, Schema extends z.ZodType>(
  definition: Omit<Definition<Field, Schema>, 'scope' | 'secret' | 'isOfMachine' | 'bareOption' | 'needsRestart'> &
    Partial<Pick<Definition<Field, Schema>, 'scope' | 'secret' | 'isOfMachine' | 'bareOption' | 'needsRestart'>>,
): Definition<Field, Schema> {
  // A secret is a person's, and a lab's folder is often shared.
  const isOfMachine = definition.secret ?? false;
  return { scope: 'lab', secret: false, isOfMachine, bareOption: false, needsRestart: false, ...definition };
}
