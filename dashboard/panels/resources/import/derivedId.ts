/**
 * An ID that follows from what a line says, so that the same line is the same resource whenever it is imported: the manager
 * leaves a resource whose ID it has as it is. FNV-1a of 128 bits in the letters of a ULID; the page's own hashing functions are
 * only there over https. Pure.
 */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const mask = (1n << 128n) - 1n;
const prime = (1n << 88n) + 0x13bn;
const offset = 0x6c62272e07bb014262b821756295c58dn;
const length = 26;

/** @param parts in their order; no two lists of parts are the same text */
export function derivedId(parts: readonly string[]): string {
  let hash = offset;
  for (const byte of new TextEncoder().encode(JSON.stringify(parts))) hash = ((hash ^ BigInt(byte)) * prime) & mask;
  return Array.from({ length }, (_letter, at) => letters[Number((hash >> BigInt(5 * (length - 1 - at))) & 31n)]).join(
    '',
  );
}
