/** One case of the table: what is given, and which settings are compared. */
export interface SettingsCase {
  readonly name: string;
  /** Files by path below the home directory; `lab/` is the current directory, a path that ends with `/` a directory. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly argv?: readonly string[];
  /** Below the home directory. */
  readonly cwd?: string;
  /** The settings to compare; addresses as in `/context`. */
  readonly compare: readonly string[];
  /** What ours is where it differs on purpose, and by which decision. */
  readonly differs?: { readonly decision: number; readonly ours: unknown };
}
