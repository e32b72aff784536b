/** What pages may use of the machine. Pure: everything is refused but what the dashboard needs. */

/** Copying an address or an id. Reading the clipboard isn't among them. */
const granted: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'fullscreen']);

/** Whether the page of `origin` gets `permission`; only the dashboard and the shell's pages get any. */
export function isPermissionGranted(permission: string, origin: string, ownOrigins: readonly string[]): boolean {
  return granted.has(permission) && ownOrigins.includes(origin);
}
