/** The age of an answer at its receipt, if a server between client and manager had received it earlier (`Age`, RFC 9111). */

const ages = new WeakMap<object, number>();

/** The age of a response in milliseconds, to the second; 0 for a new one and for any other object. */
export function ageOf(body: unknown): number {
  return typeof body === 'object' && body !== null ? (ages.get(body) ?? 0) : 0;
}

export function setAge(body: unknown, ms: number): void {
  if (typeof body !== 'object' || body === null) return;
  if (ms > 0) ages.set(body, ms);
  else ages.delete(body);
}

/** Records the age that the headers of the response state. */
export function recordAge(body: unknown, headers: Headers): void {
  const seconds = headers.get('age') ?? '';
  setAge(body, /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : 0);
}
