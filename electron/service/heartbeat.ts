/** What the silence of a service process means. Pure; `serviceProcess.ts` pings and acts on it. */

/** How often the service is asked whether it is there, in milliseconds. */
export const pingMs = 2000;
/** Silent for this long it is said to be, and for this long it is ended and started again, in milliseconds. */
const unresponsiveAfterMs = 5000;
export const hungMs = 15_000;
/** A ping that comes this much late says that the machine, or this app, stood still: the service can't be blamed. */
const lateMs = 3000;

type Heartbeat =
  | { readonly kind: 'fine' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'hung' }
  /** Nobody ran for a while: the silence counts from now. */
  | { readonly kind: 'stood-still' };

/** @param sinceReplyMs since the service said anything @param sincePingMs since the ping before this one */
export function judgeHeartbeat(sinceReplyMs: number, sincePingMs: number): Heartbeat {
  if (sincePingMs > pingMs + lateMs) return { kind: 'stood-still' };
  if (sinceReplyMs >= hungMs) return { kind: 'hung' };
  return { kind: sinceReplyMs >= unresponsiveAfterMs ? 'silent' : 'fine' };
}
