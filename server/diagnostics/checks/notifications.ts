/** Checks the delivery of notifications: to each webhook of the running lab manager, and on the app's desktop. */
import { clock } from '#api/time/clock.ts';
import { formatClockTime } from '#api/time/clockText.ts';
import { describeDelivery, describeDesktop } from '#api/deliveryTexts.ts';
import type { Delivery } from '#api/lab/lab.ts';
import { readServedSettings } from '../../attached/labManagerReader.ts';
import { finding, openSettings, ofLab, type AppDetails, type Check, type Finding } from './check.ts';

/**
 * @param deliveries of the running lab manager; `null` if none runs
 * @param desktop `null` if no app runs
 */
export function notificationsFinding(
  deliveries: readonly Delivery[] | null,
  desktop: AppDetails['notifications'] | null,
  now: number,
): Finding {
  const at = (time: number) => formatClockTime(time, now);
  const webhookLines = (deliveries ?? []).map((delivery) => `${delivery.channel}: ${describeDelivery(delivery, at)}`);
  const lines = [...webhookLines, ...(desktop === null ? [] : [`This desktop: ${describeDesktop(desktop, now, at)}`])];
  const failing = (deliveries ?? []).filter(({ failure }) => failure !== null).length;
  if (failing > 0)
    return finding(
      'problem',
      `${lines.join('; ')}.`,
      'Correct the address in LAB_NOTIFY_WEBHOOK_URL, or the receiver; then send a test (--notify-test).',
      openSettings,
    );
  if (desktop?.enabled === true && (!desktop.supported || desktop.failure !== null))
    return finding(
      'warning',
      `${lines.join('; ')}.`,
      'Permit the notifications of Lab Manager in the settings of the desktop.',
    );
  if (deliveries === null)
    return finding(
      'unknown',
      `No lab manager runs on this machine.${lines.length === 0 ? '' : ` ${lines.join('; ')}.`}`,
      'Start the lab manager, then run the checks again.',
    );
  const none = webhookLines.length === 0 ? 'The settings name no webhook.' : '';
  const rest = lines.length === 0 ? '' : `${lines.join('; ')}.`;
  return finding('ok', [none, rest].filter((text) => text !== '').join(' '));
}

export const notifications: Check = {
  id: 'notifications',
  title: 'Notifications',
  guide: 'troubleshooting.html#notifications-arrive',
  why: 'While a channel fails, it delivers no message about an outage in the lab.',
  run: ofLab(async (lab, { app }, signal) => {
    const settings = lab.service.kind === 'running' ? await readServedSettings(lab.service.url, signal) : null;
    return notificationsFinding(
      settings === null ? null : (settings.deliveries ?? []),
      app?.notifications ?? null,
      clock.now(),
    );
  }),
};
