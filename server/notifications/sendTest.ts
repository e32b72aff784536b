/** Sends one test message to each configured address, independent of the queue. */
import { randomUUID } from 'node:crypto';
import { clock } from '../../api/time/clock.ts';
import type { LabStatus } from '../../api/lab/lab.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import type { DeliveryResult, Notification } from '../channels/channel.ts';
import { deliver } from '../channels/channels.ts';
import { shortenAddress } from '../logging/text.ts';
import { getSendingLab } from './sendingLab.ts';

export interface TestResult {
  /** The address without its secret parts. */
  readonly address: string;
  /** The reason why the receiver did not accept the message; `null` if it did. */
  readonly problem: string | null;
}

type TestSettings = Pick<LabSettings, 'notifyFormat' | 'notifyWebhookUrl' | 'serverUrl' | 'advertisedHost' | 'labName'>;

/**
 * Sends to all in parallel, each with a timeout of 30 s. Never rejects.
 * @param version of this program
 * @param lab the watched lab; `null` without one
 */
export function sendTest(
  settings: TestSettings,
  version: string,
  lab: LabStatus | null,
  onResult: (address: string, result: DeliveryResult) => void = () => undefined,
  now = clock.now(),
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
    incidents: [],
  };
  const sender = getSendingLab(settings, lab);
  return Promise.all(
    notifyWebhookUrl.map(async (address) => {
      const options = { version, key: randomUUID(), isIdempotent: false };
      const result = await deliver(address, notifyFormat, notification, sender, options);
      onResult(address, result);
      return { address: shortenAddress(address), problem: result.ok ? null : result.reason };
    }),
  );
}
