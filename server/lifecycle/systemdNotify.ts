/**
 * Tells systemd when the service is ready, that it is alive, and when it stops. Source: sd_notify(3) and
 * sd_watchdog_enabled(3). systemd is told at a datagram socket of the kind that Node can't open, so systemd's own program
 * does it (docs/adr/0023).
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { errorText } from '../../api/errorText.ts';
import type { Log } from '../logging/log.ts';

/** What systemd gives to a service of `Type=notify`; of the watchdog only where the unit has one. */
const notifyEnvironment = z.object({
  NOTIFY_SOCKET: z.string().check(z.minLength(1)),
  /** Microseconds without a sign of life after which systemd ends the service. */
  WATCHDOG_USEC: z.optional(z.string().check(z.regex(/^[1-9]\d{0,14}$/, 'must be a number of microseconds'))),
  /** The process that the watchdog waits for; the service's first one when it isn't told. */
  WATCHDOG_PID: z.optional(z.string()),
});

/** How long passing on one message may take, in milliseconds. */
const sendMs = 5000;

const run = promisify(execFile);

export class SystemdNotify {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #log: Log;
  /** Milliseconds between two signs of life; `null` when nobody waits for them. */
  readonly #aliveMs: number | null;
  readonly #isEnabled: boolean;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The sign of life that is on its way. */
  #alive: AbortController | null = null;

  /**
   * @param env of this process; without a socket in it nobody is told anything
   * @param log says what could not be told: systemd ends a service for that, and the reason must be found
   * @param pid of this process
   */
  constructor(env: Readonly<Record<string, string | undefined>>, log: Log, pid: number = process.pid) {
    this.#env = env;
    this.#log = log;
    const parsed = notifyEnvironment.safeParse(env);
    this.#isEnabled = Boolean(env['NOTIFY_SOCKET']);
    this.#aliveMs = parsed.success ? aliveInterval(parsed.data, pid) : null;
    if (this.#isEnabled && !parsed.success) {
      log.warn(`systemd's watchdog is not served: WATCHDOG_USEC is "${env['WATCHDOG_USEC']}", not microseconds`);
    }
  }

  /** The service answers. Signs of life follow, as long as this process's event loop turns. */
  async ready(): Promise<void> {
    await this.#send('READY=1');
    if (this.#aliveMs === null) return;
    this.#timer = setInterval(() => void this.#sendWatchdog(), this.#aliveMs);
  }

  /** The service is about to end. */
  async stopping(): Promise<void> {
    clearInterval(this.#timer);
    this.#alive?.abort();
    await this.#send('STOPPING=1');
  }

  async #sendWatchdog(): Promise<void> {
    if (this.#alive) return;
    this.#alive = new AbortController();
    await this.#send('WATCHDOG=1', this.#alive.signal);
    this.#alive = null;
  }

  async #send(message: string, signal?: AbortSignal): Promise<void> {
    if (!this.#isEnabled) return;
    try {
      await run('systemd-notify', [message], { env: { ...this.#env }, timeout: sendMs, signal });
    } catch (error) {
      if (!signal?.aborted) this.#log.warn(`systemd could not be told ${message}: ${errorText(error)}`);
    }
  }
}

/** Half of what the watchdog waits for, as sd_watchdog_enabled(3) advises. */
function aliveInterval({ WATCHDOG_USEC, WATCHDOG_PID }: z.infer<typeof notifyEnvironment>, pid: number): number | null {
  const isOurs = WATCHDOG_PID === undefined || WATCHDOG_PID === String(pid);
  return WATCHDOG_USEC !== undefined && isOurs ? Number(WATCHDOG_USEC) / 2000 : null;
}
