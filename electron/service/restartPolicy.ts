/** When a service that died is started again. Pure. */

/** At most this many restarts in a minute. */
export const maxRestarts = 3;
const windowMs = 60_000;

/** Waits before the first, second and third restart, in milliseconds. */
const delaysMs = [100, 400, 1000] as const;

export type RestartDecision =
  { readonly kind: 'restart'; readonly afterMs: number } | { readonly kind: 'give-up'; readonly crashes: number };

/** @param crashes when the service died, in ms, oldest first, the present one included */
export function decideRestart(crashes: readonly number[], now: number): RestartDecision {
  const recent = crashes.filter((at) => now - at < windowMs).length;
  if (recent > maxRestarts) return { kind: 'give-up', crashes: recent };
  return { kind: 'restart', afterMs: delaysMs[Math.max(0, recent - 1)] ?? delaysMs[2] };
}
