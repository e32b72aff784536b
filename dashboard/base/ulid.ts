/** The end of an id: ULIDs of one hour begin alike. */
export function shortId(id: string): string {
  return id.length <= 7 ? id : `…${id.slice(-6)}`;
}

/** MADSci's IDs: 26 characters of Crockford's base 32, of at most 128 bits. */
export const isUlid = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
