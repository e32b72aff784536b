/** Limits log lines caused by external input: a client with permanent bad requests must not fill the disk. */
import { clock, type Timer } from '../../api/time/clock.ts';
import type { Log } from './log.ts';
import { plural } from '../../api/countText.ts';

export interface ThrottleLimits {
  /** The maximum number of equal lines in each window. */
  readonly sameLine: number;
  /** The maximum number of all lines in each window. */
  readonly allLines: number;
  readonly windowMs: number;
}

export interface ThrottledLog extends Log {
  /** Ends the current window: logs the number of dropped lines now, and starts no timer until the next line. */
  readonly endWindow: () => void;
}

const defaultLimits: ThrottleLimits = { sameLine: 10, allLines: 100, windowMs: 60_000 };

/** Drops lines above the limits, and logs their number when the window ends. Debug lines are not limited. */
export function throttleLog(log: Log, limits: ThrottleLimits = defaultLimits): ThrottledLog {
  const window = new Window(log, limits);
  return { ...throttleLines(log, window), endWindow: () => window.end() };
}

function throttleLines(log: Log, window: Window): Log {
  const write =
    (level: 'info' | 'warn' | 'error'): Log['info'] =>
    (message, details) => {
      if (window.admits(message)) log[level](message, details);
    };
  return {
    debug: (message, details) => log.debug(message, details),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    scope: (name) => throttleLines(log.scope(name), window),
  };
}

class Window {
  readonly #log: Log;
  readonly #limits: ThrottleLimits;
  readonly #counts = new Map<string, number>();
  #written = 0;
  #omitted = 0;
  #last = '';
  #timer: Timer | undefined;

  constructor(log: Log, limits: ThrottleLimits) {
    this.#log = log;
    this.#limits = limits;
  }

  admits(message: string): boolean {
    const { sameLine, allLines, windowMs } = this.#limits;
    if (this.#written + this.#omitted === 0) {
      this.#timer = clock.setTimeout(() => this.end(), windowMs);
      this.#timer.unref();
    }
    const count = (this.#counts.get(message) ?? 0) + 1;
    if (count <= sameLine && this.#written < allLines) {
      this.#counts.set(message, count);
      this.#written += 1;
      return true;
    }
    this.#omitted += 1;
    this.#last = message;
    return false;
  }

  end(): void {
    clock.clearTimeout(this.#timer);
    const [omitted, last] = [this.#omitted, this.#last];
    this.#counts.clear();
    this.#written = 0;
    this.#omitted = 0;
    const seconds = Math.round(this.#limits.windowMs / 1000);
    if (omitted > 0)
      this.#log.warn(
        `${plural(omitted, 'more line was', 'more lines were')} left out in the last ${seconds} s, the last: ${last}`,
      );
  }
}
