/** Follows the lab's status, and tells whoever listens, and the webhooks, what is worth it. */
import type { ActivityWatch } from '../activity/activityWatch.ts';
import type { Watch } from '../health/watch.ts';
import type { Log } from '../logging/log.ts';
import type { LabSettings } from '../settings/schema/labSettings.ts';
import { NotificationPolicy, type Notification } from './policy.ts';
import { endedNotification, subjectsOf } from './subjects.ts';
import { publicUrl } from './webhookBodies.ts';
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
  readonly #policy = new NotificationPolicy();
  readonly #webhooks: Webhooks;
  #timer: NodeJS.Timeout | null = null;
  #unlisten: (() => void) | null = null;
  /** Of workflows that ended: those that somebody was notified of. */
  #announced = new Set<string>();

  constructor(parts: NotifierParts) {
    this.#parts = parts;
    this.#webhooks = new Webhooks(() => this.#webhookSettings(), parts.queuePath, parts.log);
  }

  async start(): Promise<void> {
    await this.#webhooks.start();
    this.#unlisten = this.#parts.watch.onChange(() => this.#observe(Date.now()));
    this.#timer = setInterval(() => this.#look(Date.now()), lookMs);
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
    const status = watch.status();
    const { nodes, areKnown } = activity.known(now);
    this.#policy.observe(subjectsOf(status, nodes, areKnown), now);
    const ended = status.activity?.ended_workflows ?? [];
    for (const workflow of ended.toReversed()) {
      const key = `${workflow.id} ${workflow.at}`;
      if (this.#announced.has(key)) continue;
      const notification = endedNotification(workflow, now);
      if (notification !== null) this.#policy.happened(notification);
    }
    this.#announced = new Set(ended.map(({ id, at }) => `${id} ${at}`));
  }

  /** What must hold for a while becomes due without anything happening. */
  #look(now: number): void {
    const { settings, onNotification } = this.#parts;
    this.#observe(now);
    const { notifyEvents } = settings();
    const due = this.#policy.due(now, (kind) => notifyEvents.includes(kind));
    for (const notification of due) onNotification(notification);
    this.#webhooks.send(due);
  }

  #webhookSettings() {
    const { notifyFormat, notifyWebhookUrl, serverUrl, advertisedHost, managerName } = this.#parts.settings();
    return {
      addresses: notifyWebhookUrl,
      format: notifyFormat,
      sender: { labName: managerName, url: publicUrl(serverUrl, advertisedHost) },
    };
  }
}
