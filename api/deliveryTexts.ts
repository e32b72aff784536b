/** Texts of the delivery status of notification channels, for the Settings window and the diagnostics. */
import type { DesktopDelivery } from './diagnostics.ts';
import type { Delivery } from './lab/lab.ts';
import { plural } from './countText.ts';

/** Formats ms since the epoch. */
type FormatTime = (ms: number) => string;

/** `last delivered 14:02`, `failed at 14:05: HTTP 404; last delivered 14:02; 2 messages waiting` */
export function describeDelivery({ waiting, delivered, failure }: Delivery, formatTime: FormatTime): string {
  const parts = [
    ...(failure === null ? [] : [`failed at ${formatTime(Date.parse(failure.at))}: ${failure.reason}`]),
    ...(delivered === null ? [] : [`last delivered ${formatTime(Date.parse(delivered))}`]),
    ...(failure === null && delivered === null ? ['nothing has been sent yet'] : []),
    ...(waiting === 0 ? [] : [`${plural(waiting, 'message')} waiting`]),
  ];
  return parts.join('; ');
}

/** `last shown 14:02` */
export function describeDesktop(
  { enabled, supported, mutedUntil, shownAt, failure }: DesktopDelivery,
  now: number,
  formatTime: FormatTime,
): string {
  if (!enabled) return 'switched off in this app';
  if (!supported) return 'it shows no notifications from apps';
  const parts = [
    ...(failure === null ? [] : [`failed at ${formatTime(failure.at)}: ${failure.reason}`]),
    shownAt === null ? 'none shown since the app started' : `last shown ${formatTime(shownAt)}`,
    ...(mutedUntil !== null && now < mutedUntil ? [`muted until ${formatTime(mutedUntil)}`] : []),
  ];
  return parts.join('; ');
}

/** Whether a receiver accepts messages: `null` before the first one. */
export function isDeliveryWorking({ delivered, failure }: Delivery): boolean | null {
  if (failure !== null) return false;
  return delivered === null ? null : true;
}

/** Whether the desktop shows notifications: `null` before the first one, and while they are switched off. */
export function isDesktopWorking({ enabled, supported, shownAt, failure }: DesktopDelivery): boolean | null {
  if (!enabled) return null;
  if (!supported || failure !== null) return false;
  return shownAt === null ? null : true;
}

/**
 * Returns the given shortened addresses of receivers; those that occur more than once are prefixed with their position:
 * `2: https://hooks.example.com/…`.
 */
export function numberDuplicates(addresses: readonly string[]): readonly string[] {
  return addresses.map((address, index) =>
    addresses.indexOf(address) === addresses.lastIndexOf(address) ? address : `${index + 1}: ${address}`,
  );
}
