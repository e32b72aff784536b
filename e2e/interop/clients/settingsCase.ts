/** One case of the table: the input, and the settings to compare. */
export interface SettingsCase {
  readonly name: string;
  /** Files by path below the home directory; `lab/` is the current directory, a path that ends with `/` a directory. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly argv?: readonly string[];
  /** Relative to the home directory. */
  readonly cwd?: string;
  /** The settings to compare; addresses as in `/context`. */
  readonly compare: readonly string[];
  /** Our value where it differs on purpose, and the number of the decision. */
  readonly differs?: { readonly decision: number; readonly ours: unknown };
}
