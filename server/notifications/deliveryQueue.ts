/**
 * Delivers notifications to the configured addresses: with retries, persistent over restarts, at most ten a minute per
 * address. An address that hangs delays no other.
 */
import { clock } from '../../api/time/clock.ts';
import type { Delivery } from '../../api/lab/lab.ts';
import { numberDuplicates } from '../../api/deliveryTexts.ts';
import type { Log } from '../logging/log.ts';
import { incidentKey, type DeliveryResult, type Notification, type SendingLab } from '../channels/channel.ts';
import { deliver } from '../channels/channels.ts';
import type { WebhookFormat } from '../channels/webhookFormats.ts';
import type { NotificationsFile, StoredDelivery, StoredMessage } from './notificationsFile.ts';
import { shortenAddress } from '../logging/text.ts';

/** Retry delays of a message, in ms; the last one repeats for a day. */
const retryDelaysMs = [5000, 30_000, 120_000, 600_000, 1_800_000] as const;
const maxDelayMs = 3_600_000;
const maxAgeMs = 24 * 3_600_000;
const minuteMs = 60_000;
const maxPerMinute = 10;
const maxPending = 200;
/** The longest timer, in ms: a clock that was ahead leaves times in the far future, and Node fires too long ones at once. */
const maxTimerMs = 600_000;

/** A message to send; its times are those of the monotonic clock. */
type PendingMessage = StoredMessage;

/**
 * Converts the times of a stored message to the monotonic clock. After a clock change, its delay is at most `maxDelayMs` and
 * its age at most `maxAgeMs`.
 */
function restoreMessage({ nextAt, queuedAt, ...rest }: StoredMessage): PendingMessage {
  const offset = clock.now() - clock.monotonic();
  const now = clock.monotonic();
  const age = Math.min(maxAgeMs, Math.max(0, now - (queuedAt - offset)));
  const next = Math.min(now + maxDelayMs, nextAt - offset);
  return { ...rest, nextAt: next, queuedAt: now - age };
}

function toStoredMessage(message: PendingMessage): StoredMessage {
  const offset = clock.now() - clock.monotonic();
  return { ...message, nextAt: message.nextAt + offset, queuedAt: message.queuedAt + offset };
}

export interface DeliverySettings {
  readonly addresses: readonly string[];
  readonly format: WebhookFormat;
  /** Whether the receivers discard a message with a known key. */
  readonly areIdempotent: boolean;
  readonly sender: SendingLab;
}

/** What the other server of the lab changes in the queue. */
export type WaitingMessages = Pick<DeliveryQueue, 'isPaused' | 'waiting' | 'discard' | 'discardBefore'>;

export class DeliveryQueue {
  /** Whether messages wait, because another server of the lab sends them. */
  isPaused = false;
  readonly #settings: () => DeliverySettings;
  readonly #version: string;
  readonly #file: NotificationsFile;
  readonly #log: Log;
  readonly #deliver: typeof deliver;
  /** Called with newly queued messages, and with messages that are done: delivered or dropped. */
  readonly #onChange: (messages: readonly StoredMessage[], isDone: boolean) => void;
  #queue: readonly PendingMessage[] = [];
  #deliveries: ReadonlyMap<string, StoredDelivery> = new Map();
  /** Times of messages to each address within the last minute, in ms of the monotonic clock. */
  readonly #sendTimes = new Map<string, readonly number[]>();
  #timer: NodeJS.Timeout | null = null;
  /** One delivery per address, so that one that hangs delays no other. */
  readonly #running = new Map<string, Promise<void>>();
  #stopSignal = new AbortController();

  /** @param version of this program */
  constructor(
    settings: () => DeliverySettings,
    version: string,
    file: NotificationsFile,
    log: Log,
    send = deliver,
    onChange: (messages: readonly StoredMessage[], isDone: boolean) => void = () => undefined,
  ) {
    this.#onChange = onChange;
    this.#settings = settings;
    this.#version = version;
    this.#file = file;
    this.#log = log;
    this.#deliver = send;
  }

  /** Continues with the messages of an earlier run from the file. */
  start(waiting: readonly StoredMessage[], deliveries: readonly StoredDelivery[]): void {
    this.#queue = waiting.map(restoreMessage);
    this.#deliveries = new Map(deliveries.map((delivery) => [delivery.address, delivery]));
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopSignal.abort();
    if (this.#timer) clock.clearTimeout(this.#timer);
    this.#timer = null;
    await Promise.all(this.#running.values());
  }

  send(notifications: readonly Notification[]): void {
    const { addresses, sender } = this.#settings();
    if (addresses.length === 0 || notifications.length === 0) return;
    const nextAt = clock.monotonic();
    const present = new Set(this.#queue.map(({ address, key }) => `${key} ${address}`));
    const added = addresses.flatMap((address) =>
      notifications.flatMap((notification): PendingMessage[] => {
        const key = incidentKey(notification.incidents, sender);
        if (present.has(`${key} ${address}`)) return [];
        return [{ address, key, notification, tries: 0, nextAt, queuedAt: nextAt }];
      }),
    );
    const all = [...this.#queue, ...added];
    this.#setQueue(all.slice(0 - maxPending));
    this.#onChange(added.map(toStoredMessage), false);
    this.#onChange(all.slice(0, 0 - maxPending).map(toStoredMessage), true);
    this.#schedule();
  }

  /** The pending messages. */
  get waiting(): readonly StoredMessage[] {
    return this.#queue.map(toStoredMessage);
  }

  /** Adds the messages of another server. */
  adopt(messages: readonly StoredMessage[]): void {
    const present = new Set(this.#queue.map(({ address, key }) => `${key} ${address}`));
    const added = messages.filter(({ address, key }) => !present.has(`${key} ${address}`)).map(restoreMessage);
    this.#setQueue([...this.#queue, ...added].slice(0 - maxPending));
  }

  /** Discards messages that another server has delivered. */
  discard(isDelivered: (message: Pick<StoredMessage, 'key' | 'address'>) => boolean): void {
    this.#discard(isDelivered);
  }

  /** Sends the waiting messages, except those that are too old. */
  release(): void {
    const oldest = clock.monotonic() - maxAgeMs;
    const dropped = this.#queue.filter(({ queuedAt }) => queuedAt < oldest);
    this.#setQueue(this.#queue.filter(({ queuedAt }) => queuedAt >= oldest));
    this.#onChange(dropped.map(toStoredMessage), true);
    this.#schedule();
  }

  /** Discards the messages that were queued before `time` (ms of the monotonic clock): another server delivered them. */
  discardBefore(time: number): void {
    this.#discard(({ queuedAt }) => queuedAt < time);
  }

  /** Discards messages, except those that are being sent. */
  #discard(isDelivered: (message: PendingMessage) => boolean): void {
    const remaining = this.#queue.filter((message) => this.#running.has(message.address) || !isDelivered(message));
    if (remaining.length < this.#queue.length) this.#setQueue(remaining);
  }

  /** The delivery status of each configured address, in order. */
  deliveries(): readonly Delivery[] {
    const { addresses } = this.#settings();
    const channels = numberDuplicates(addresses.map(shortenAddress));
    const iso = (time: number) => new Date(time).toISOString();
    return addresses.map((address, index) => {
      const { deliveredAt = null, failure = null } = this.#deliveries.get(address) ?? {};
      return {
        channel: channels[index] ?? '',
        waiting: this.#queue.filter((message) => message.address === address).length,
        delivered: deliveredAt === null ? null : iso(deliveredAt),
        failure: failure === null ? null : { at: iso(failure.at), reason: failure.reason },
      };
    });
  }

  #schedule(): void {
    if (this.#timer) clock.clearTimeout(this.#timer);
    this.#timer = null;
    const idle = this.#queue.filter(({ address }) => !this.#running.has(address));
    if (this.#stopSignal.signal.aborted || idle.length === 0 || this.isPaused) return;
    const nextAt = Math.min(...idle.map((message) => Math.max(message.nextAt, this.#nextSlotAt(message.address))));
    const waitMs = Math.min(maxTimerMs, Math.max(0, nextAt - clock.monotonic()));
    this.#timer = clock.setTimeout(() => this.#run(), waitMs);
  }

  /** When the next message may be sent to an address. */
  #nextSlotAt(address: string): number {
    const oldest = this.#recentSends(address, clock.monotonic()).at(0 - maxPerMinute);
    return oldest === undefined ? Number.NEGATIVE_INFINITY : oldest + minuteMs;
  }

  /** Times of messages to an address in the last minute, oldest first, in ms of the monotonic clock. */
  #recentSends(address: string, now: number): readonly number[] {
    return (this.#sendTimes.get(address) ?? []).filter((at) => at > now - minuteMs);
  }

  #run(): void {
    if (this.isPaused) return;
    const now = clock.monotonic();
    const addresses = new Set(this.#queue.map(({ address }) => address));
    for (const address of addresses) {
      if (this.#running.has(address)) continue;
      const run = this.#runOne(address, now).finally(() => {
        this.#running.delete(address);
        this.#schedule();
      });
      this.#running.set(address, run);
    }
    this.#schedule();
  }

  async #runOne(address: string, now: number): Promise<void> {
    const { addresses, format, sender, areIdempotent } = this.#settings();
    if (!addresses.includes(address)) {
      this.#setDeliveries(new Map([...this.#deliveries].filter(([knownAddress]) => addresses.includes(knownAddress))));
      return this.#setQueue(this.#queue.filter((message) => message.address !== address));
    }
    const message = this.#nextMessage(address, now);
    if (message === null) return;
    this.#sendTimes.set(address, [...this.#recentSends(address, now), now]);
    const result = await this.#deliver(address, format, message.notification, sender, {
      version: this.#version,
      key: message.key,
      isIdempotent: areIdempotent,
      signal: this.#stopSignal.signal,
    });
    this.recordResult(address, result);
    if (result.ok) return this.#replace(message);
    // A message that may be repeated after a stop stays unchanged in the file.
    if (this.#stopSignal.signal.aborted && result.isRetryable) return;
    const isDropped = !result.isRetryable || now - message.queuedAt > maxAgeMs;
    this.#log.warn(
      `A notification could not be delivered to ${shortenAddress(address)}: ${result.reason}${isDropped ? '; it is dropped' : ''}`,
    );
    if (isDropped) return this.#replace(message);
    const delayMs = retryDelaysMs[Math.min(message.tries, retryDelaysMs.length - 1)] as number;
    const nextAt = clock.monotonic() + Math.max(delayMs, result.afterMs ?? 0);
    this.#replace(message, { ...message, tries: message.tries + 1, nextAt });
  }

  /**
   * The next message to send now; the last one within the limit of this minute summarises all due ones. `null` if none is
   * due.
   */
  #nextMessage(address: string, now: number): PendingMessage | null {
    const due = this.#queue.filter((message) => message.address === address && message.nextAt <= now);
    const [first] = due;
    if (first === undefined || this.#nextSlotAt(address) > now) return null;
    if (due.length === 1 || this.#recentSends(address, now).length < maxPerMinute - 1) return first;
    const notification = summarize(due.map((message) => message.notification));
    const summary = { ...first, key: incidentKey(notification.incidents, this.#settings().sender), notification };
    const others = new Set(due);
    this.#setQueue([summary, ...this.#queue.filter((message) => !others.has(message))]);
    this.#onChange([toStoredMessage(summary)], false);
    this.#onChange(due.map(toStoredMessage), true);
    return summary;
  }

  #replace(message: PendingMessage, later?: PendingMessage): void {
    if (later === undefined) this.#onChange([toStoredMessage(message)], true);
    this.#setQueue(
      this.#queue.flatMap((queued) => (queued !== message ? [queued] : later === undefined ? [] : [later])),
    );
  }

  /** Records the result of a message to an address. */
  recordResult(address: string, result: DeliveryResult): void {
    const at = clock.now();
    const before = this.#deliveries.get(address)?.deliveredAt ?? null;
    const delivery = result.ok
      ? { address, deliveredAt: at, failure: null }
      : { address, deliveredAt: before, failure: { at, reason: result.reason } };
    this.#setDeliveries(new Map([...this.#deliveries, [address, delivery]]));
  }

  #setQueue(queue: readonly PendingMessage[]): void {
    this.#queue = queue;
    this.#file.update({ waiting: queue.map(toStoredMessage) });
  }

  #setDeliveries(deliveries: ReadonlyMap<string, StoredDelivery>): void {
    this.#deliveries = deliveries;
    this.#file.update({ deliveries: [...deliveries.values()] });
  }
}

/** Combines several notifications into one. */
function summarize(all: readonly Notification[]): Notification {
  const [first] = all;
  if (first === undefined) throw new Error('There is nothing to send');
  return {
    ...first,
    level: all.some(({ level }) => level === 'problem') ? 'problem' : 'info',
    title: `${all.length} notifications`,
    body: all.map(({ title }) => title).join('; '),
    path: '/history',
    since: null,
    subjects: all.flatMap(({ subjects }) => subjects),
    incidents: all.flatMap(({ incidents }) => incidents),
  };
}
