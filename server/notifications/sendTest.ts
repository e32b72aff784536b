/** A test message to each address of the settings, once, besides those that wait. */
import { randomUUID } from 'node:crypto';
import type { LabStatus } from '../../api/lab/lab.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import type { DeliveryResult, Notification } from '../channels/channel.ts';
import { deliver } from '../channels/channels.ts';
import { shortenedAddress } from '../logging/text.ts';
import { senderOf } from './sender.ts';

export interface TestResult {
  /** Without what makes it a secret. */
  readonly address: string;
  /** Why it didn't take the message; `null` when it did. */
  readonly problem: string | null;
}

type TestSettings = Pick<
  LabSettings,
  'notifyFormat' | 'notifyWebhookUrl' | 'serverUrl' | 'advertisedHost' | 'managerName'
>;

/**
 * Sends to all at once, each within 30 s. Never rejects.
 * @param version of this program
 * @param lab the lab that is watched; `null` without one
 */
export function sendTest(
  settings: TestSettings,
  version: string,
  lab: LabStatus | null,
  onResult: (address: string, result: DeliveryResult) => void = () => undefined,
  now = Date.now(),
): Promise<readonly TestResult[]> {
  const { notifyFormat, notifyWebhookUrl } = settings;
  const notification: Notification = {
    kind: 'lab',
    level: 'info',
    title: 'Test of the notifications',
    body: 'This is a test message. Nothing happened in the lab.',
    path: '/',
    at: now,
    since: null,
    subjects: ['test'],
  };
  const sender = senderOf(settings, lab);
  return Promise.all(
    notifyWebhookUrl.map(async (address) => {
      const options = { version, key: randomUUID(), isIdempotent: false };
      const result = await deliver(address, notifyFormat, notification, sender, options);
      onResult(address, result);
      return { address: shortenedAddress(address), problem: result.ok ? null : result.reason };
    }),
  );
}
