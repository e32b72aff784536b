/** The state of notifications across a restart: pending messages, delivery status, and reported outages. */
import * as z from 'zod';
import type { Log } from '../logging/log.ts';
import { StateFile, waitForStateFiles } from '../storage/stateFile.ts';
import { notificationKinds } from '../channels/channel.ts';
import { rememberedSubject } from './policy.ts';

export const storedMessage = z.object({
  address: z.string(),
  /** Its Idempotency-Key. */
  key: z.string(),
  notification: z.object({
    kind: z.enum(notificationKinds),
    level: z.enum(['problem', 'recovery', 'info']),
    title: z.string(),
    body: z.string(),
    path: z.string(),
    at: z.number(),
    since: z.nullable(z.number()),
    subjects: z.array(z.string()).readonly(),
    incidents: z.array(z.string()).readonly(),
  }),
  tries: z.int(),
  /** Time of the next attempt, and when it was queued, in ms since the epoch. */
  nextAt: z.number(),
  queuedAt: z.number(),
});
export type StoredMessage = z.infer<typeof storedMessage>;

/** The delivery status of an address. Times are ms since the epoch. */
const storedDelivery = z.object({
  address: z.string(),
  deliveredAt: z.nullable(z.number()),
  /** The last failure, if no message was delivered since. */
  failure: z.nullable(z.object({ at: z.number(), reason: z.string() })),
});
export type StoredDelivery = z.infer<typeof storedDelivery>;

const content = z.object({
  version: z.literal(2),
  waiting: z.array(storedMessage).readonly(),
  deliveries: z.array(storedDelivery).readonly().catch([]),
  reported: z.array(rememberedSubject).readonly().catch([]),
});
type Content = Omit<z.infer<typeof content>, 'version'>;

export class NotificationsFile {
  readonly #file: StateFile | null;
  #content: Content = { waiting: [], deliveries: [], reported: [] };

  /** @param path of the file; `null` if nothing is stored */
  constructor(path: string | null, log: Log) {
    this.#file = path === null ? null : new StateFile(path, 'Notifications that wait', log);
  }

  /** The content of the file; empty if there is none, or if it is unreadable or damaged, which is logged. */
  async load(): Promise<Content> {
    await this.#file?.load((text) => {
      if (text !== null) this.#content = content.parse(JSON.parse(text));
    });
    return this.#content;
  }

  /** Replaces parts of the content. Later updates until the file is written are included. */
  update(changes: Partial<Content>): void {
    this.#content = { ...this.#content, ...changes };
    const { waiting, deliveries, reported } = this.#content;
    this.#file?.save(JSON.stringify({ version: 2, waiting, deliveries, reported }));
  }

  /** Resolves when all is on disk, within 1 s. */
  async settled(): Promise<void> {
    await waitForStateFiles(1000);
  }
}
