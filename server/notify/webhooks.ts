/**
 * Posts notifications to webhooks: each try within 5 s, again later where nobody takes it, kept over a restart, never more
 * than ten a minute for each address. It holds up nothing.
 */
import * as z from 'zod';
import { errorText, type Log } from '../logging/log.ts';
import { StateFile, stateFilesSettled } from '../stateFile.ts';
import { notificationKinds, type Notification } from './policy.ts';
import { shortenedAddress, webhookRequest, type Sender, type WebhookFormat } from './webhookBodies.ts';

const timeoutMs = 5000;
/** Between two tries of the same, in ms; after the last it is tried at that interval for a day. */
const waits = [5000, 30_000, 120_000, 600_000, 1_800_000] as const;
const longestWaitMs = 3_600_000;
const giveUpMs = 24 * 3_600_000;
const aMinute = 60_000;
const mostAMinute = 10;
const mostWaiting = 200;
/** A clock that was ahead left times that never come, and longer timers fire at once. */
const longestTimerMs = 600_000;

const waiting = z.object({
  address: z.string(),
  notification: z.object({
    kind: z.enum(notificationKinds),
    level: z.enum(['problem', 'recovery', 'info']),
    title: z.string(),
    body: z.string(),
    path: z.string(),
    at: z.number(),
    subjects: z.array(z.string()).readonly().catch([]),
  }),
  tries: z.int(),
  /** When it is tried next, and when it was queued: in the file in ms since the epoch, in memory by the steady clock. */
  nextAt: z.number(),
  queuedAt: z.optional(z.number()),
});
type Stored = z.infer<typeof waiting>;
type Waiting = Stored & { readonly queuedAt: number };

/** From the file, whatever the clock was set to meanwhile: no wait is longer than the longest, and none is long over. */
function restored({ nextAt, queuedAt, ...rest }: Stored): Waiting {
  const offset = Date.now() - performance.now();
  const now = performance.now();
  const age = Math.min(giveUpMs, Math.max(0, now - ((queuedAt ?? rest.notification.at) - offset)));
  return { ...rest, nextAt: Math.min(now + longestWaitMs, nextAt - offset), queuedAt: now - age };
}

function stored(each: Waiting): Stored {
  const offset = Date.now() - performance.now();
  return { ...each, nextAt: each.nextAt + offset, queuedAt: each.queuedAt + offset };
}

export interface WebhookSettings {
  readonly addresses: readonly string[];
  readonly format: WebhookFormat;
  readonly sender: Sender;
}

export type PostResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly again: boolean; readonly afterMs?: number };

export class Webhooks {
  readonly #settings: () => WebhookSettings;
  readonly #file: StateFile | null;
  readonly #log: Log;
  readonly #post: typeof post;
  #queue: readonly Waiting[] = [];
  /** When something was posted to each address within the last minute, in ms of the steady clock. */
  readonly #posted = new Map<string, readonly number[]>();
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #stopped = new AbortController();

  /** @param path of the file for what waits; `null` where nothing is kept */
  constructor(settings: () => WebhookSettings, path: string | null, log: Log, send: typeof post = post) {
    this.#settings = settings;
    this.#file = path === null ? null : new StateFile(path, 'Notifications that wait', log);
    this.#log = log;
    this.#post = send;
  }

  async start(): Promise<void> {
    await this.#file?.load((text) => {
      const read = text === null ? null : z.array(waiting).safeParse(JSON.parse(text));
      if (read?.success) this.#queue = [...read.data.map(restored), ...this.#queue];
    });
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#running;
    await stateFilesSettled(1000);
  }

  send(notifications: readonly Notification[]): void {
    const { addresses } = this.#settings();
    if (addresses.length === 0 || notifications.length === 0) return;
    const nextAt = performance.now();
    const added = addresses.flatMap((address) =>
      notifications.map((notification): Waiting => ({ address, notification, tries: 0, nextAt, queuedAt: nextAt })),
    );
    this.#setQueue([...this.#queue, ...added].slice(0 - mostWaiting));
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#stopped.signal.aborted || this.#queue.length === 0 || this.#running) return;
    const next = Math.min(...this.#queue.map((each) => Math.max(each.nextAt, this.#freeAt(each.address))));
    this.#timer = setTimeout(
      () => {
        this.#running = this.#run().finally(() => {
          this.#running = null;
          this.#schedule();
        });
      },
      Math.min(longestTimerMs, Math.max(0, next - performance.now())),
    );
  }

  /** When the next one may be posted to an address. */
  #freeAt(address: string): number {
    const oldest = this.#recent(address, performance.now()).at(0 - mostAMinute);
    return oldest === undefined ? Number.NEGATIVE_INFINITY : oldest + aMinute;
  }

  /** When something was posted to an address in the minute before, oldest first, in ms of the steady clock. */
  #recent(address: string, now: number): readonly number[] {
    return (this.#posted.get(address) ?? []).filter((at) => at > now - aMinute);
  }

  /** Each address on its own: one that hangs holds up no other. */
  async #run(): Promise<void> {
    const now = performance.now();
    const addresses = new Set(this.#queue.map(({ address }) => address));
    await Promise.all([...addresses].map((address) => this.#runOne(address, now)));
  }

  async #runOne(address: string, now: number): Promise<void> {
    const { addresses, format, sender } = this.#settings();
    const own = this.#queue.filter((each) => each.address === address);
    if (!addresses.includes(address)) return this.#drop(own);
    const due = own.filter(({ nextAt }) => nextAt <= now);
    if (due.length === 0 || this.#freeAt(address) > now) return;
    // The last one that fits into this minute stands for all that wait.
    const recent = this.#recent(address, now);
    const left = mostAMinute - recent.length;
    const batch = left === 1 && due.length > 1 ? due : due.slice(0, 1);
    const request = webhookRequest(format, summed(batch), sender);
    this.#posted.set(address, [...recent, now]);
    const result = await this.#post(address, request, this.#stopped.signal);
    if (this.#stopped.signal.aborted) return;
    if (result.ok) return this.#drop(batch);
    const where = shortenedAddress(address);
    const isOver = !result.again || batch.every(({ queuedAt }) => now - queuedAt > giveUpMs);
    this.#log.warn(
      `A notification could not be posted to ${where}: ${result.reason}${isOver ? '; it is dropped' : ''}`,
    );
    if (isOver) return this.#drop(batch);
    const later = new Set(batch);
    this.#setQueue(
      this.#queue.map((each) => {
        if (!later.has(each)) return each;
        const wait = waits[Math.min(each.tries, waits.length - 1)] as number;
        return { ...each, tries: each.tries + 1, nextAt: performance.now() + Math.max(wait, result.afterMs ?? 0) };
      }),
    );
  }

  #drop(done: readonly Waiting[]): void {
    const gone = new Set(done);
    this.#setQueue(this.#queue.filter((each) => !gone.has(each)));
  }

  #setQueue(queue: readonly Waiting[]): void {
    this.#queue = queue;
    this.#file?.save(JSON.stringify(queue.map(stored)));
  }
}

/** Several as one. */
function summed(batch: readonly Waiting[]): Notification {
  const [first] = batch;
  if (first === undefined) throw new Error('There is nothing to send');
  if (batch.length === 1) return first.notification;
  const isProblem = batch.some(({ notification }) => notification.level === 'problem');
  return {
    ...first.notification,
    level: isProblem ? 'problem' : 'info',
    title: `${batch.length} notifications`,
    body: batch.map(({ notification }) => notification.title).join('; '),
    path: '/history',
  };
}

/** Posts once. Redirects aren't followed: a receiver that moved is to be set anew. Never rejects. */
export async function post(
  address: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signal?: AbortSignal,
): Promise<PostResult> {
  const limit = AbortSignal.timeout(timeoutMs);
  const { url, credentials } = withoutCredentials(address);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, ...credentials },
      body,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    });
    await answer.body?.cancel();
    if (answer.ok) return { ok: true };
    const again = answer.status === 429 || answer.status === 408 || answer.status >= 500;
    const seconds = Number(answer.headers.get('retry-after'));
    const isRedirect = answer.status >= 300 && answer.status < 400;
    return {
      ok: false,
      reason: isRedirect ? `HTTP ${answer.status}, a redirect, which is not followed` : `HTTP ${answer.status}`,
      again,
      ...(again && seconds > 0 ? { afterMs: Math.min(seconds, 3600) * 1000 } : {}),
    };
  } catch (error) {
    if (limit.aborted) return { ok: false, reason: `no answer within ${timeoutMs / 1000} s`, again: true };
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { ok: false, reason: errorText(cause).replaceAll(url, shortenedAddress(url)), again: true };
  }
}

/** User and password of an address as the header that they are sent in: `fetch` refuses them in the address, and names them. */
function withoutCredentials(address: string): { readonly url: string; readonly credentials: Record<string, string> } {
  const url = new URL(address);
  const { username, password } = url;
  if (username === '' && password === '') return { url: address, credentials: {} };
  url.username = '';
  url.password = '';
  const pair = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  return { url: url.href, credentials: { authorization: `Basic ${pair}` } };
}

/** A percent sign that stands for itself is one. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
