/**
 * Classifies the time since the last message of a service process. Pure; `serviceProcess.ts` sends the pings and acts on
 * the result.
 */

/** The interval of the pings to the service, in milliseconds. */
export const pingMs = 2000;
/** The time without a message after which the service counts as unresponsive, in milliseconds. */
const unresponsiveAfterMs = 5000;
/** The time without a message after which the service is killed and restarted, in milliseconds. */
export const hungAfterMs = 15_000;
/** A ping delayed by this much means that the machine or this app was suspended, so the service isn't at fault. */
const suspendThresholdMs = 3000;

type Heartbeat =
  | { readonly kind: 'responsive' }
  | { readonly kind: 'unresponsive' }
  | { readonly kind: 'hung' }
  /** The machine or the app was suspended: the time without a message is measured from now. */
  | { readonly kind: 'suspended' };

/** @param sinceReplyMs the time since the service's last message @param sincePingMs the time since the previous ping */
export function classifyHeartbeat(sinceReplyMs: number, sincePingMs: number): Heartbeat {
  if (sincePingMs > pingMs + suspendThresholdMs) return { kind: 'suspended' };
  if (sinceReplyMs >= hungAfterMs) return { kind: 'hung' };
  return { kind: sinceReplyMs >= unresponsiveAfterMs ? 'unresponsive' : 'responsive' };
}
