/** Addresses below another one. */

/** The address, or path, with one slash at its end: what is resolved against it stays below it. */
export function baseUrl(address: string): string {
  return address.replace(/\/*$/, '/');
}
