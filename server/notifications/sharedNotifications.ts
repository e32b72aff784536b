/**
 * The notifications in the database that two servers share: the active one stores each message before it is sent and marks
 * it when it is delivered, so that the other one sends the remaining ones when it takes over.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import type { Database } from '../database/database.ts';
import { schemaName } from '../database/migrations.ts';
import { parseJsonOrNull, readState, storeState } from '../database/query.ts';
import type { Log } from '../logging/log.ts';
import type { WaitingMessages } from './deliveryQueue.ts';
import { reportDelayMs, type StateStartTimes } from './otherServer.ts';
import { storedMessage, type StoredMessage } from './notificationsFile.ts';
import { rememberedSubject, type RememberedSubject } from './policy.ts';

/** The maximum number of changes that wait for the database. */
const maxChanges = 1000;
const stateName = 'notifications';

/** The start of a subject's outage at the active server: ms since the epoch. */
const outageStart = z.object({ key: z.string(), since: z.nullable(z.number()) });

const sharedState = z.object({
  reported: z.array(rememberedSubject).readonly(),
  outages: z.array(outageStart).readonly(),
});
type SharedState = z.infer<typeof sharedState>;

interface Change {
  readonly key: string;
  readonly receiver: string;
  /** The message without its address. */
  readonly body: string;
  readonly isDone: boolean;
}

interface SharedNotificationsOptions {
  readonly database: Database;
  /** The state of this server, to be stored while it is active; `null` while it is on standby. */
  readonly state: () => SharedState | null;
  readonly queue: WaitingMessages;
  /** Receives the outages at the active server while this one is on standby. */
  readonly starts: StateStartTimes;
  readonly log: Log;
}

/** Addresses are secrets, so only their hashes are stored; both servers have the same addresses. */
function hashReceiver(address: string): string {
  return createHash('sha256').update(address).digest('hex');
}

const messageId = (key: string, receiver: string): string => `${key} ${receiver}`;

export class SharedNotifications {
  readonly #options: SharedNotificationsOptions;
  #changes: readonly Change[] = [];
  #storedState = '';

  constructor(options: SharedNotificationsOptions) {
    this.#options = options;
    options.database.onHeartbeat(() => this.#synchronise());
  }

  /** Queues a change for the database: messages that are pending, or that are done (delivered or dropped). */
  queueChange(messages: readonly StoredMessage[], isDone: boolean): void {
    const added = messages.map(({ address, ...message }) => {
      return { key: message.key, receiver: hashReceiver(address), body: JSON.stringify(message), isDone };
    });
    this.#changes = [...this.#changes, ...added].slice(-maxChanges);
    void this.#store().catch((error: unknown) =>
      this.#options.log.debug(`Notifications not stored yet: ${errorText(error)}`),
    );
  }

  /** The outages that the active server has reported; `null` if nothing is stored, or the database can't be used. */
  async reported(): Promise<readonly RememberedSubject[] | null> {
    return (await this.#read().catch(() => null))?.reported ?? null;
  }

  /**
   * The pending messages of the other server for the given addresses. First reports which of this server's messages
   * were delivered.
   * @throws {Error} if the database can't be used
   */
  async pendingMessages(addresses: readonly string[]): Promise<readonly StoredMessage[]> {
    await this.#reportDelivered();
    const rows = await this.#options.database.transaction((query) =>
      query<{ receiver: string; body: string }>(
        `SELECT receiver, body FROM ${schemaName}.notifications
         WHERE done IS NULL AND queued BETWEEN now() - interval '1 day' AND now() ORDER BY queued`,
      ),
    );
    const byReceiver = new Map(addresses.map((address) => [hashReceiver(address), address]));
    return rows.flatMap(({ receiver, body }) => {
      const address = byReceiver.get(receiver);
      const read = storedMessage.safeParse({ ...Object(parseJsonOrNull(body)), address });
      return read.success ? [read.data] : [];
    });
  }

  async #synchronise(): Promise<void> {
    await this.#store();
    const state = this.#options.state();
    if (state !== null) return this.#storeState(state);
    // The other server may have stored another state since.
    this.#storedState = '';
    const startedAt = clock.monotonic();
    await this.#reportDelivered();
    const stored = await this.#read();
    const { queue, starts } = this.#options;
    for (const { key, since } of stored?.outages ?? []) starts.remember({ key, since, isFailing: true });
    if (!(await this.#hasPendingMessage())) queue.discardBefore(startedAt - reportDelayMs);
  }

  /** Whether the active server has a pending message. */
  async #hasPendingMessage(): Promise<boolean> {
    const rows = await this.#options.database.transaction((query) =>
      query(
        `SELECT FROM ${schemaName}.notifications WHERE done IS NULL AND queued BETWEEN now() - interval '1 day' AND now() LIMIT 1`,
      ),
    );
    return rows.length > 0;
  }

  async #store(): Promise<void> {
    const changes = this.#changes;
    const { database } = this.#options;
    if (changes.length === 0 || database.connection.state !== 'connected') return;
    await database.transaction(async (query) => {
      for (const { key, receiver, body, isDone } of changes)
        await query(
          `INSERT INTO ${schemaName}.notifications (key, receiver, body, done)
           VALUES ($1, $2, $3, CASE WHEN $4 THEN now() END)
           ON CONFLICT (key, receiver) DO UPDATE SET done = coalesce(notifications.done, EXCLUDED.done)`,
          [key, receiver, body, isDone],
        );
      await query(`DELETE FROM ${schemaName}.notifications WHERE queued < now() - interval '30 days'`);
    });
    const stored = new Set(changes);
    this.#changes = this.#changes.filter((change) => !stored.has(change));
  }

  async #storeState(state: SharedState): Promise<void> {
    const text = JSON.stringify(state);
    if (text === this.#storedState) return;
    await this.#options.database.transaction((query) => storeState(query, stateName, text));
    this.#storedState = text;
  }

  async #read(): Promise<SharedState | null> {
    const content = await this.#options.database.transaction((query) => readState(query, stateName));
    return content === null ? null : (sharedState.safeParse(parseJsonOrNull(content)).data ?? null);
  }

  async #reportDelivered(): Promise<void> {
    const { database, queue } = this.#options;
    const keys = queue.isPaused ? queue.waiting.map(({ key }) => key) : [];
    if (keys.length === 0) return;
    const rows = await database.transaction((query) =>
      query<{ key: string; receiver: string }>(
        `SELECT key, receiver FROM ${schemaName}.notifications WHERE key = ANY($1) AND done IS NOT NULL`,
        [keys],
      ),
    );
    const done = new Set(rows.map(({ key, receiver }) => messageId(key, receiver)));
    if (done.size > 0) queue.discard(({ key, address }) => done.has(messageId(key, hashReceiver(address))));
  }
}
