/** Follows the lab's status, and tells whoever listens, and the webhooks, what is worth it. */
import type { ActivityWatch } from '../activity/activityWatch.ts';
import type { Watch } from '../health/watch.ts';
import type { Log } from '../logging/log.ts';
import type { LabSettings } from '../settings/schema/labSettings.ts';
import { LabNews } from './labNews.ts';
import type { Notification } from './policy.ts';
import { senderOf } from './webhookBodies.ts';
import { Webhooks } from './webhooks.ts';

const lookMs = 2000;

export interface NotifierParts {
  readonly watch: Watch;
  readonly activity: ActivityWatch;
  readonly settings: () => Pick<
    LabSettings,
    'notifyEvents' | 'notifyFormat' | 'notifyWebhookUrl' | 'serverUrl' | 'advertisedHost' | 'managerName'
  >;
  /** Of the file for what waits to be posted; `null` where nothing is kept. */
  readonly queuePath: string | null;
  readonly onNotification: (notification: Notification) => void;
  readonly log: Log;
}

export class Notifier {
  readonly #parts: NotifierParts;
  readonly #news = new LabNews();
  readonly #webhooks: Webhooks;
  #timer: NodeJS.Timeout | null = null;
  #unlisten: (() => void) | null = null;

  constructor(parts: NotifierParts) {
    this.#parts = parts;
    this.#webhooks = new Webhooks(() => this.#webhookSettings(), parts.queuePath, parts.log);
  }

  async start(): Promise<void> {
    await this.#webhooks.start();
    this.#unlisten = this.#parts.watch.onChange(() => this.#observe(performance.now()));
    this.#timer = setInterval(() => this.#look(performance.now()), lookMs);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#unlisten?.();
    this.#unlisten = null;
    await this.#webhooks.stop();
  }

  #observe(now: number): void {
    const { watch, activity } = this.#parts;
    const { nodes, areKnown } = activity.known(now);
    this.#news.observe(watch.status(), nodes, areKnown, now);
  }

  /** What must hold for a while becomes due without anything happening. */
  #look(now: number): void {
    const { settings, onNotification } = this.#parts;
    this.#observe(now);
    const due = this.#news.due(now, settings().notifyEvents);
    for (const notification of due) onNotification(notification);
    this.#webhooks.send(due);
  }

  #webhookSettings() {
    const settings = this.#parts.settings();
    return { addresses: settings.notifyWebhookUrl, format: settings.notifyFormat, sender: senderOf(settings) };
  }
}
