/** Checks the delivery of notifications: to each webhook of the running lab manager, and on the app's desktop. */
import { clock } from '#api/time/clock.ts';
import { formatClockTime } from '#api/time/clockText.ts';
import { describeDelivery, describeDesktop } from '#api/deliveryTexts.ts';
import type { Delivery } from '#api/lab/lab.ts';
import { readServedSettings } from '../../attached/labManagerReader.ts';
import { nothingToDo, openFix, withoutLab, type AppDetails, type Check, type Finding } from './check.ts';

const explanation = 'While a channel fails, it delivers no message about an outage in the lab.';

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
    return {
      result: 'problem',
      what: `${lines.join('; ')}.`,
      why: explanation,
      whatToDo: 'Correct the address in LAB_NOTIFY_WEBHOOK_URL, or the receiver; then send a test (--notify-test).',
      fix: openFix('open-settings', 'Open settings'),
    };
  if (desktop?.enabled === true && (!desktop.supported || desktop.failure !== null))
    return {
      result: 'warning',
      what: `${lines.join('; ')}.`,
      why: explanation,
      whatToDo: 'Permit the notifications of Lab Manager in the settings of the desktop.',
    };
  if (deliveries === null)
    return {
      result: 'unknown',
      what: `No lab manager runs on this machine.${lines.length === 0 ? '' : ` ${lines.join('; ')}.`}`,
      why: explanation,
      whatToDo: 'Start the lab manager, then run the checks again.',
    };
  const none = webhookLines.length === 0 ? 'The settings name no webhook.' : '';
  const rest = lines.length === 0 ? '' : `${lines.join('; ')}.`;
  return {
    result: 'ok',
    what: [none, rest].filter((text) => text !== '').join(' '),
    why: explanation,
    whatToDo: nothingToDo,
  };
}

export const notifications: Check = {
  id: 'notifications',
  title: 'Notifications',
  guide: 'troubleshooting.html#notifications-arrive',
  async run({ lab, app }, signal) {
    if (lab === null) return withoutLab(explanation);
    const settings = lab.service.kind === 'running' ? await readServedSettings(lab.service.url, signal) : null;
    return notificationsFinding(
      settings === null ? null : (settings.deliveries ?? []),
      app?.notifications ?? null,
      clock.now(),
    );
  },
};
