/** All that watches a lab while the service runs: managers, nodes and workflows, what is remembered, who is told. */
import { join } from 'node:path';
import { ActivityWatch } from './activity/activityWatch.ts';
import { Watch, type WatchConfig } from './health/watch.ts';
import { HistoryRecorder } from './history/recorder.ts';
import type { Log } from './logging/log.ts';
import { Notifier } from './notify/notifier.ts';
import type { Notification } from './notify/policy.ts';
import type { LabSettings } from './settings/schema/labSettings.ts';

export interface WatchingOptions {
  readonly config: Omit<WatchConfig, 'activity'>;
  readonly settings: () => LabSettings;
  /** Where things are remembered over a restart; `null` for a lab of which nothing is kept, such as a simulated one. */
  readonly stateDir: string | null;
  readonly onNotification: (notification: Notification) => void;
  readonly log: Log;
}

export class Watching {
  readonly watch: Watch;
  readonly history: HistoryRecorder;
  readonly #activity: ActivityWatch;
  readonly #options: WatchingOptions;
  #notifier: Notifier | null = null;

  constructor(options: WatchingOptions) {
    const { config, settings, log } = options;
    this.#options = options;
    this.watch = new Watch(this.#withActivity(config), { log: log.scope('watch') });
    this.#activity = new ActivityWatch({
      workcell: () => this.watch.workcell,
      intervalMs: () => settings().watchInterval * 1000,
      onChange: () => this.watch.notify(),
      log: log.scope('activity'),
    });
    this.history = new HistoryRecorder(this.watch, () => this.#activity.known(), log.scope('history'));
  }

  /** @param port that is listened on: whoever has it is the only one who writes its files */
  async start(port: number, version: string): Promise<void> {
    const { settings, onNotification, log } = this.#options;
    const path = (name: string) => this.#pathOf(name, port);
    await this.history.start(path('history.jsonl'), version);
    this.watch.start();
    this.#activity.start();
    this.#notifier = new Notifier({
      watch: this.watch,
      activity: this.#activity,
      settings,
      queuePath: path('notifications.json'),
      onNotification,
      log: log.scope('notify'),
    });
    await this.#notifier.start();
  }

  async stop(): Promise<void> {
    await this.#notifier?.stop();
    this.#notifier = null;
    this.#activity.stop();
    await this.history.stop();
    this.watch.stop();
  }

  configure(config: Omit<WatchConfig, 'activity'>): void {
    this.watch.configure(this.#withActivity(config));
  }

  #withActivity(config: Omit<WatchConfig, 'activity'>): WatchConfig {
    return { ...config, activity: () => this.#activity.status() };
  }

  /** `history-8000.jsonl`: each lab manager of this user has files of its own. */
  #pathOf(name: string, port: number): string | null {
    const { stateDir } = this.#options;
    return stateDir === null ? null : join(stateDir, name.replace('.', `-${port}.`));
  }
}
