/**
 * Runs the lab manager in a separate process: starts and pings it, restarts it after a crash or hang, and stops it when
 * the app quits.
 */
import { utilityProcess, type UtilityProcess } from 'electron';
import { clock } from '../../api/time/clock.ts';
import { errorCode } from '../../api/errorText.ts';
import {
  isServiceMessage,
  type Reply,
  type ServiceMessage,
  type ShellMessage,
} from '../../server/lifecycle/messages.ts';
import { appExitGraceMs, isEndSignalCode } from '../../server/lifecycle/endSignals.ts';
import type { Log } from '../../server/logging/log.ts';
import { describeExit } from './describeExit.ts';
import { classifyHeartbeat, pingMs } from './heartbeat.ts';
import { decideRestart } from './restartPolicy.ts';

type Start = Extract<ShellMessage, { type: 'start' }>;
type RequestMessage = Extract<ShellMessage, { id: number }>;
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/**
 * The times after which a stopping service is killed, and after which the app stops waiting for it, in milliseconds.
 */
const killAfterMs = 3500;
const giveUpAfterMs = 4500;
/** The default timeout for a response, in milliseconds. */
const requestTimeoutMs = 15_000;

/** A message that the service sends without a request. */
export type Announcement = Extract<ServiceMessage, { run: number }>;

export interface ServiceCrash {
  /** `It crashed (SIGSEGV)`, with the last line of its error output. */
  readonly reason: string;
  readonly exitCode: number;
  /** The number of consecutive crashes, including this one. */
  readonly crashes: number;
  /** True after the quick restarts failed. */
  readonly isCrashingRepeatedly: boolean;
  /** The time of the next restart, in ms since the epoch. */
  readonly nextRetryAt: number;
}

export interface ServiceProcessEvents {
  onMessage(message: Announcement): void;
  onCrash(crash: ServiceCrash): void;
  /** Called with the time since which the service has not responded (ms since the epoch); `null` when it responds. */
  onUnresponsive(since: number | null): void;
}

export class ServiceProcess {
  readonly #entry: string;
  readonly #log: Log;
  readonly #events: ServiceProcessEvents;
  #child: UtilityProcess | null = null;
  #start: Start | null = null;
  #crashes = 0;
  #forkedAt = 0;
  #restartTimer: NodeJS.Timeout | null = null;
  #pingTimer: NodeJS.Timeout | null = null;
  /** Times of the last message and the last ping, on the monotonic clock, independent of the system time. */
  #receivedAt = 0;
  #pingedAt = 0;
  #isUnresponsive = false;
  #output = '';
  #nextId = 1;
  readonly #pendingReplies = new Map<number, (reply: Reply) => void>();

  /** @param entry absolute path of the service's entry file */
  constructor(entry: string, log: Log, events: ServiceProcessEvents) {
    this.#entry = entry;
    this.#log = log;
    this.#events = events;
  }

  /** The ID of the running process; `null` if none runs. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Starts or restarts the service with new inputs. Also resets the crash count. */
  start(start: Start): void {
    this.#start = start;
    this.#crashes = 0;
    this.#clearRestart();
    if (!this.#child) this.#fork();
    this.send(start);
  }

  send(message: ShellMessage): void {
    // A restart after a crash uses the current list of watched labs.
    if (message.type === 'watch-labs' && this.#start) this.#start = { ...this.#start, labs: message.labs };
    this.#child?.postMessage(message);
  }

  /**
   * Sends a request to the service. If the service exits, or does not reply within `timeoutMs`, the reply is an error.
   */
  request(request: WithoutId<RequestMessage>, timeoutMs = requestTimeoutMs): Promise<Reply> {
    if (!this.#child) return Promise.resolve({ ok: false, error: 'The lab manager service is not running' });
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const timer = clock.setTimeout(
        () => settle({ ok: false, error: 'The lab manager service does not answer' }),
        timeoutMs,
      );
      const settle = (reply: Reply) => {
        clock.clearTimeout(timer);
        this.#pendingReplies.delete(id);
        resolve(reply);
      };
      this.#pendingReplies.set(id, settle);
      this.send({ ...request, id } as RequestMessage);
    });
  }

  /** Stops the service: kills it after 3.5 s, and stops waiting after 4.5 s. */
  async stop(): Promise<void> {
    this.#start = null;
    this.#clearRestart();
    const child = this.#child;
    if (!child) return;
    await new Promise<void>((resolve) => {
      const kill = clock.setTimeout(() => killProcess(child), killAfterMs);
      const giveUp = clock.setTimeout(() => resolve(), giveUpAfterMs);
      child.once('exit', () => {
        clock.clearTimeout(kill);
        clock.clearTimeout(giveUp);
        resolve();
      });
      child.postMessage({ type: 'quit' } satisfies ShellMessage);
    });
  }

  #fork(): void {
    // Name lookups block threads of the pool while a name server does not respond, and file reads need the same
    // threads.
    const env = { ...process.env, UV_THREADPOOL_SIZE: process.env['UV_THREADPOOL_SIZE'] ?? '16' };
    const child = utilityProcess.fork(this.#entry, [], { serviceName: 'Lab Manager service', stdio: 'pipe', env });
    this.#child = child;
    this.#output = '';
    this.#forkedAt = clock.monotonic();
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-4000);
    });
    child.stdout?.resume();
    child.on('message', (message: unknown) => this.#receive(message));
    child.once('exit', (code) => this.#onExit(child, code));
    this.#watchHeartbeat(child);
  }

  #watchHeartbeat(child: UtilityProcess): void {
    if (this.#pingTimer) clock.clearInterval(this.#pingTimer);
    this.#receivedAt = this.#pingedAt = clock.monotonic();
    this.#pingTimer = clock.setInterval(() => {
      const now = clock.monotonic();
      const heartbeat = classifyHeartbeat(now - this.#receivedAt, now - this.#pingedAt);
      this.#pingedAt = now;
      if (heartbeat.kind === 'suspended') this.#receivedAt = now;
      if (heartbeat.kind === 'unresponsive') this.#setUnresponsive(true);
      if (heartbeat.kind === 'hung') {
        this.#log.error(`The service (process ${child.pid ?? '?'}) does not respond: it is killed and restarted`);
        return killProcess(child);
      }
      child.postMessage({ type: 'ping' } satisfies ShellMessage);
    }, pingMs);
  }

  #setUnresponsive(unresponsive: boolean): void {
    if (unresponsive === this.#isUnresponsive) return;
    this.#isUnresponsive = unresponsive;
    this.#events.onUnresponsive(unresponsive ? clock.now() - (clock.monotonic() - this.#receivedAt) : null);
  }

  #receive(message: unknown): void {
    this.#receivedAt = clock.monotonic();
    this.#setUnresponsive(false);
    if (!isServiceMessage(message)) return this.#log.error('The service sent an invalid message');
    if (message.type === 'pong') return undefined;
    if (message.type !== 'reply') return this.#events.onMessage(message);
    this.#pendingReplies.get(message.id)?.(message.reply);
  }

  #onExit(child: UtilityProcess, code: number): void {
    if (this.#child !== child) return;
    this.#child = null;
    if (this.#pingTimer) clock.clearInterval(this.#pingTimer);
    this.#pingTimer = null;
    this.#setUnresponsive(false);
    for (const resolve of this.#pendingReplies.values())
      resolve({ ok: false, error: 'The lab manager service stopped' });
    if (!this.#start) return;
    if (!isEndSignalCode(code)) return this.#reportCrash(code);
    // On logout, the service may end before the app: wait before treating this as a crash.
    this.#restartTimer = clock.setTimeout(() => this.#reportCrash(code), appExitGraceMs);
  }

  #reportCrash(code: number): void {
    const { crashes, afterMs, isCrashingRepeatedly } = decideRestart(this.#crashes, clock.monotonic() - this.#forkedAt);
    this.#crashes = crashes;
    this.#log.error(`The service ended unexpectedly: it ${describeExit(code)}`, { output: this.#output.slice(-1000) });
    this.#restartTimer = clock.setTimeout(() => this.#restart(), afterMs);
    const last = this.#output.trim().split('\n').at(-1);
    const reason = `It ${describeExit(code)}${last ? `: ${last}` : ''}`;
    this.#events.onCrash({
      reason,
      exitCode: code,
      crashes,
      isCrashingRepeatedly,
      nextRetryAt: clock.now() + afterMs,
    });
  }

  #restart(): void {
    if (!this.#start) return;
    this.#fork();
    this.send(this.#start);
  }

  #clearRestart(): void {
    if (this.#restartTimer) clock.clearTimeout(this.#restartTimer);
    this.#restartTimer = null;
  }
}

/** Kills the process with SIGKILL, because a suspended or blocked one handles no other signal. */
function killProcess(child: UtilityProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(child.pid, 'SIGKILL');
  } catch (error) {
    // The process has already ended.
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
