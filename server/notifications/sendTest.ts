/** A test message to each webhook, once, whatever waits to be posted. */
import { randomUUID } from 'node:crypto';
import type { LabStatus } from '../../api/lab/lab.ts';
import type { LabSettings } from '../settings/schema/labSettings.ts';
import type { Notification } from './notification.ts';
import { post, type PostResult } from './post.ts';
import { shortenedAddress } from '../logging/text.ts';
import { senderOf, webhookRequest } from './webhookBodies.ts';

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

/**
 * Posts to all at once, each within 30 s. Never rejects.
 * @param version of this program
 * @param lab the lab that is watched; `null` without one
 */
export function sendTest(
  settings: WebhookSettings,
  version: string,
  lab: LabStatus | null,
  onResult: (address: string, result: PostResult) => void = () => undefined,
  now = Date.now(),
): Promise<readonly TestResult[]> {
  const { notifyFormat, notifyWebhookUrl } = settings;
  const notification: Notification = {
    kind: 'lab',
    level: 'info',
    title: 'Test of the notifications',
    body: 'Somebody asked for this message. Nothing happened in the lab.',
    path: '/',
    at: now,
    since: null,
    subjects: ['test'],
  };
  const request = webhookRequest(notifyFormat, notification, senderOf(settings, lab));
  return Promise.all(
    notifyWebhookUrl.map(async (address) => {
      const result = await post(address, request, { version, key: randomUUID(), isIdempotent: false });
      onResult(address, result);
      return { address: shortenedAddress(address), problem: result.ok ? null : result.reason };
    }),
  );
}
