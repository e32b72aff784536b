/** Reads the other labs that the user of the app has chosen, for its tray, and reports each change of their state. */
import { stringifyExactJson } from '../../api/exactJson.ts';
import { clock } from '../../api/time/clock.ts';
import type { FleetLab } from '../../api/lab/fleet.ts';
import type { Log } from '../logging/log.ts';
import { Fleet } from './fleet.ts';

/** A chosen lab as last read. */
export interface WatchedLab extends Pick<FleetLab, 'url' | 'state' | 'reason' | 'managers'> {
  /** The name that it reports; `null` until it has responded, and for a lab without one. */
  readonly labName: string | null;
}

/** Interval at which changes are reported, in ms. */
const reportIntervalMs = 500;

export class WatchedLabs {
  readonly #fleet: Fleet;
  readonly #onChange: (labs: readonly WatchedLab[]) => void;
  #timer: NodeJS.Timeout | null = null;
  #reported = '[]';

  constructor(log: Log, onChange: (labs: readonly WatchedLab[]) => void) {
    this.#fleet = new Fleet(log, 0);
    this.#onChange = onChange;
  }

  /**
   * Applies the list of labs and reports all of them immediately.
   * @param urls addresses of lab managers; those already watched keep their readers
   */
  configure(urls: readonly string[]): void {
    this.#fleet.configure(urls);
    // Without other labs, as for most users, no timer is needed.
    if (urls.length > 0) this.#timer ??= clock.setInterval(() => this.#report(), reportIntervalMs);
    else this.#stopTimer();
    this.#reported = '';
    this.#report();
  }

  stop(): void {
    this.#stopTimer();
    this.#fleet.stop();
  }

  #stopTimer(): void {
    if (this.#timer !== null) clock.clearInterval(this.#timer);
    this.#timer = null;
  }

  #report(): void {
    const names = this.#fleet.reportedNames();
    const labs = this.#fleet.rows().map(({ url, state, reason, managers }) => {
      return { url, labName: names.get(url) ?? null, state, reason, managers };
    });
    const text = stringifyExactJson(labs);
    if (text === this.#reported) return;
    this.#reported = text;
    this.#onChange(labs);
  }
}
