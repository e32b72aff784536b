/**
 * Notifies systemd when the service is ready, alive, and stopping. Source: sd_notify(3) and sd_watchdog_enabled(3).
 * systemd listens at a datagram socket of a kind that Node cannot open, so systemd's own program sends the messages
 * (docs/adr/0015-linux-packages.md).
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { clock, type Timer } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import type { Log } from '../logging/log.ts';

/** The environment of a service of `Type=notify`; with watchdog variables only if the unit has a watchdog. */
const notifyEnvironment = z.object({
  NOTIFY_SOCKET: z.string().check(z.minLength(1)),
  /** Microseconds without a keep-alive message after which systemd ends the service. */
  WATCHDOG_USEC: z.optional(z.string().check(z.regex(/^[1-9]\d{0,14}$/, 'must be a number of microseconds'))),
  /** The process that the watchdog monitors; by default the service's main one. */
  WATCHDOG_PID: z.optional(z.string()),
});

/** Timeout of sending one message, in milliseconds. */
const sendTimeoutMs = 5000;

const run = promisify(execFile);

export class SystemdNotify {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #log: Log;
  /** Milliseconds between two keep-alive messages; `null` without a watchdog. */
  readonly #watchdogIntervalMs: number | null;
  readonly #isEnabled: boolean;
  #timer: Timer | undefined;
  /** The pending keep-alive message. */
  #pendingWatchdog: AbortController | null = null;

  /**
   * @param env of this process; without a socket in it no message is sent
   * @param log receives failures: systemd ends a service without messages, and the log must show the reason
   * @param pid of this process
   */
  constructor(env: Readonly<Record<string, string | undefined>>, log: Log, pid: number = process.pid) {
    this.#env = env;
    this.#log = log;
    const parsed = notifyEnvironment.safeParse(env);
    this.#isEnabled = Boolean(env['NOTIFY_SOCKET']);
    this.#watchdogIntervalMs = parsed.success ? watchdogInterval(parsed.data, pid) : null;
    if (this.#isEnabled && !parsed.success) {
      log.warn(
        `systemd's watchdog gets no keep-alive messages: WATCHDOG_USEC is "${env['WATCHDOG_USEC']}", not microseconds`,
      );
    }
  }

  /** Reports that the service is ready. Keep-alive messages follow while this process's event loop runs. */
  async ready(): Promise<void> {
    await this.#send('READY=1');
    if (this.#watchdogIntervalMs === null) return;
    this.#timer = clock.setInterval(() => void this.#sendWatchdog(), this.#watchdogIntervalMs);
  }

  /** Reports that the service is stopping. */
  async stopping(): Promise<void> {
    clock.clearInterval(this.#timer);
    this.#pendingWatchdog?.abort();
    await this.#send('STOPPING=1');
  }

  async #sendWatchdog(): Promise<void> {
    if (this.#pendingWatchdog) return;
    this.#pendingWatchdog = new AbortController();
    await this.#send('WATCHDOG=1', this.#pendingWatchdog.signal);
    this.#pendingWatchdog = null;
  }

  async #send(message: string, signal?: AbortSignal): Promise<void> {
    if (!this.#isEnabled) return;
    try {
      await run('systemd-notify', [message], { env: { ...this.#env }, timeout: sendTimeoutMs, signal });
    } catch (error) {
      if (!signal?.aborted) this.#log.warn(`${message} could not be sent to systemd: ${errorText(error)}`);
    }
  }
}

/** Half of the watchdog's timeout, as sd_watchdog_enabled(3) recommends. */
function watchdogInterval(
  { WATCHDOG_USEC, WATCHDOG_PID }: z.infer<typeof notifyEnvironment>,
  pid: number,
): number | null {
  const isOurs = WATCHDOG_PID === undefined || WATCHDOG_PID === String(pid);
  return WATCHDOG_USEC !== undefined && isOurs ? Number(WATCHDOG_USEC) / 2000 : null;
}
