/** The end of an id: ULIDs of one hour begin alike. */
export function shortId(id: string): string {
  return id.length <= 7 ? id : `…${id.slice(-6)}`;
}
