/** Judges the silence of a service process. Pure; `serviceProcess.ts` sends the pings and acts on the result. */

/** The interval of the pings to the service, in milliseconds. */
export const pingMs = 2000;
/**
 * The silence after which the service counts as unresponsive, and after which it is killed and restarted, in
 * milliseconds.
 */
const unresponsiveAfterMs = 5000;
export const hungAfterMs = 15_000;
/** A ping delayed by this much means that the machine or this app was suspended, so the service isn't at fault. */
const suspendThresholdMs = 3000;

type Heartbeat =
  | { readonly kind: 'fine' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'hung' }
  /** The machine or the app was suspended: the silence is measured from now. */
  | { readonly kind: 'stood-still' };

/** @param sinceReplyMs the time since the service's last message @param sincePingMs the time since the previous ping */
export function judgeHeartbeat(sinceReplyMs: number, sincePingMs: number): Heartbeat {
  if (sincePingMs > pingMs + suspendThresholdMs) return { kind: 'stood-still' };
  if (sinceReplyMs >= hungAfterMs) return { kind: 'hung' };
  return { kind: sinceReplyMs >= unresponsiveAfterMs ? 'silent' : 'fine' };
}
