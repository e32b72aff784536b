/** What notifications must not lose over a restart: what waits to be posted, what was delivered, and what was reported. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { errorText, type Log } from '../logging/log.ts';
import { readOwnFile, replaceOwnFile } from '../replaceOwnFile.ts';
import { withStorageTimeout } from '../storageTimeout.ts';
import { notificationKinds } from './notification.ts';
import { rememberedSubject } from './policy.ts';

const storedMessage = z.object({
  address: z.string(),
  /** Its Idempotency-Key; missing from an older version. */
  key: z.optional(z.string()),
  notification: z.object({
    kind: z.enum(notificationKinds),
    level: z.enum(['problem', 'recovery', 'info']),
    title: z.string(),
    body: z.string(),
    path: z.string(),
    at: z.number(),
    since: z.nullable(z.number()).catch(null),
    subjects: z.array(z.string()).readonly().catch([]),
  }),
  tries: z.int(),
  /** When it is tried next, and when it was queued, in ms since the epoch. */
  nextAt: z.number(),
  queuedAt: z.optional(z.number()),
});
export type StoredMessage = z.infer<typeof storedMessage>;

/** What became of the messages to an address. Times are ms since the epoch. */
const storedDelivery = z.object({
  address: z.string(),
  deliveredAt: z.nullable(z.number()),
  /** The last failure, where no message was delivered since. */
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

/** An older version wrote the waiting messages alone. */
const anyContent = z.union([
  content,
  z.array(storedMessage).transform((waiting) => ({ waiting, deliveries: [], reported: [] })),
]);

export class NotificationsFile {
  readonly #path: string | null;
  readonly #log: Log;
  #content: Content = { waiting: [], deliveries: [], reported: [] };
  #saving: Promise<void> = Promise.resolve();
  #isUnsaved = false;

  /** @param path of the file; `null` where nothing is kept */
  constructor(path: string | null, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  /** What the file has; nothing where there is none, or it can't be read, which is logged. */
  async load(): Promise<Content> {
    if (this.#path !== null)
      try {
        const text = await withStorageTimeout(readOwnFile(this.#path));
        const read = text === null ? null : anyContent.safeParse(JSON.parse(text));
        if (read?.success) this.#content = read.data;
      } catch (error) {
        this.#log.warn(`Notifications that waited can't be read from ${this.#path}: ${errorText(error)}`);
      }
    return this.#content;
  }

  /** Replaces parts of it. Whatever comes until the file is written is written with it. */
  update(changes: Partial<Content>): void {
    this.#content = { ...this.#content, ...changes };
    const path = this.#path;
    if (path === null || this.#isUnsaved) return;
    this.#isUnsaved = true;
    this.#saving = this.#saving
      .then(() => mkdir(dirname(path), { recursive: true, mode: 0o700 }))
      .then(() => {
        this.#isUnsaved = false;
        const { waiting, deliveries, reported } = this.#content;
        return replaceOwnFile(path, JSON.stringify({ version: 2, waiting, deliveries, reported }));
      })
      .catch((error: unknown) => {
        this.#isUnsaved = false;
        this.#log.warn(`Notifications that wait can't be kept in ${path}: ${errorText(error)}`);
      });
  }

  /** Resolves when all is on the disk, within 1 s. */
  async settled(): Promise<void> {
    await withStorageTimeout(this.#saving, 1000).catch(() => undefined);
  }
}
