/** A test message to each webhook, once, whatever waits to be posted. */
import type { LabSettings } from '../settings/schema/labSettings.ts';
import type { Notification } from './policy.ts';
import { senderOf, shortenedAddress, webhookRequest } from './webhookBodies.ts';
import { post } from './webhooks.ts';

export interface TestResult {
  /** Without what makes it a secret. */
  readonly address: string;
  /** Why it didn't take the message; `null` when it did. */
  readonly problem: string | null;
}

type WebhookSettings = Pick<
  LabSettings,
  'notifyFormat' | 'notifyWebhookUrl' | 'serverUrl' | 'advertisedHost' | 'managerName'
>;

/** Posts to all at once, each within 5 s. Never rejects. */
export function sendTest(settings: WebhookSettings, now = Date.now()): Promise<readonly TestResult[]> {
  const { notifyFormat, notifyWebhookUrl } = settings;
  const notification: Notification = {
    kind: 'lab',
    level: 'info',
    title: 'Test of the notifications',
    body: 'Somebody asked for this message. Nothing happened in the lab.',
    path: '/',
    at: now,
    subjects: ['test'],
  };
  const request = webhookRequest(notifyFormat, notification, senderOf(settings));
  return Promise.all(
    notifyWebhookUrl.map(async (address) => {
      const result = await post(address, request);
      return { address: shortenedAddress(address), problem: result.ok ? null : result.reason };
    }),
  );
}
