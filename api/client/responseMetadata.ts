/**
 * Metadata from a server between client and manager (RFC 9110, 9111): the age of a response at its receipt (`Age`), and
 * the revision of its content (`ETag` of the relay).
 */

const ages = new WeakMap<object, number>();
const revisions = new WeakMap<object, string>();

/** The age of a response in milliseconds, to the second; 0 for a new one and for any other object. */
export function getAge(body: unknown): number {
  return typeof body === 'object' && body !== null ? (ages.get(body) ?? 0) : 0;
}

export function setAge(body: unknown, ms: number): void {
  if (typeof body !== 'object' || body === null) return;
  if (ms > 0) ages.set(body, ms);
  else ages.delete(body);
}

/** The revision of a relayed response; `null` for a manager's own response and for any other object. */
export function getRevision(body: unknown): string | null {
  return typeof body === 'object' && body !== null ? (revisions.get(body) ?? null) : null;
}

export function setRevision(body: unknown, revision: string | null): void {
  if (typeof body !== 'object' || body === null) return;
  if (revision === null) revisions.delete(body);
  else revisions.set(body, revision);
}

/** Records the age and the revision from the headers of the response. */
export function recordMetadata(body: unknown, headers: Headers): void {
  const seconds = headers.get('age') ?? '';
  setAge(body, /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : 0);
  // A proxy that compresses makes the tag weak or adds the encoding to it.
  setRevision(body, /"([\w-]{27})/.exec(headers.get('etag') ?? '')?.[1] ?? null);
}
