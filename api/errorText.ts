/** What a thrown value tells, whatever it is. */

/** The text of a thrown value, without its stack. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code that Node gives an error, such as `ENOENT`; `null` where there is none. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
