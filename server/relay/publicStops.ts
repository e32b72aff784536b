/**
 * The safety stops of senders without operator rights. A node that does not respond occupies a thread of its workcell
 * manager for each command, so identical commands of these senders are sent once, and further commands wait while too
 * many have no response. Each command is sent, and the first one to a node does not wait for those to slow nodes.
 */
import { clock } from '../../api/time/clock.ts';
import { BufferedResponse } from './memory.ts';
import { RelayError, waitForClient, type ManagerRequest, type Managers } from './managers.ts';
import { StreamError } from '../net/streamedExchange.ts';

/** The maximum number of waiting and pending commands: while the nodes are unknown, a sender could invent names. */
const maxCommands = 512;
/** The maximum number of pending commands that are not slow, of the 40 that a manager executes at once. */
const maxPromptCommands = 16;
/** A further command to a node, or a command to a slow node, begins only while fewer than this are pending in total. */
const maxLowPriority = 8;
/** A command without a response after this time, in ms, is slow, and so is its node until `slowForMs` after the response. */
const slowAfterMs = 1000;
const slowForMs = 30_000;

interface PublicStop {
  readonly node: string;
  readonly start: () => void;
}

export class PublicStops {
  readonly #managers: Pick<Managers, 'send'>;
  /** The responses that identical commands share, by manager and path. */
  readonly #sharedStops = new Map<string, Promise<BufferedResponse>>();
  readonly #waiting: PublicStop[] = [];
  /** The pending commands, and whether they are slow. */
  readonly #running = new Map<PublicStop, boolean>();
  /** Until when a node counts as slow, by `performance.now()`. */
  readonly #slowUntil = new Map<string, number>();

  constructor(managers: Pick<Managers, 'send'>) {
    this.#managers = managers;
  }

  /**
   * Sends a command, or shares the response of an identical one that is unfinished and cannot have been released since.
   * The command continues after its client has left: otherwise a client could occupy all of a manager's threads.
   * @param stopping aborts when the service stops
   * @throws StreamError, RelayError
   */
  async send(request: ManagerRequest, stopping: AbortSignal): Promise<BufferedResponse> {
    const { manager, signal, url } = request;
    if (signal.aborted) throw new StreamError('aborted', 'aborted');
    const key = `${manager} ${url.pathname}`;
    const shared = this.#sharedStops.get(key) ?? this.#add(key, { ...request, signal: stopping });
    return (await waitForClient(shared, signal)).retain();
  }

  /** Call this when a command is sent that may release nodes: a stop after it must be sent again. */
  stopSharing(manager: ManagerRequest['manager']): void {
    for (const key of this.#sharedStops.keys()) if (key.startsWith(`${manager} `)) this.#sharedStops.delete(key);
  }

  #add(key: string, request: ManagerRequest): Promise<BufferedResponse> {
    if (this.#waiting.length + this.#running.size >= maxCommands)
      return Promise.reject(
        new RelayError(503, `${maxCommands} safety stops are under way already; try again in a moment`),
      );
    const node = request.url.pathname.split('/').at(-1) ?? '';
    const response = new Promise<BufferedResponse>((resolve, reject) => {
      const stop: PublicStop = {
        node,
        start: () => this.#start(stop, request).then(resolve, reject),
      };
      this.#waiting.push(stop);
    });
    this.#sharedStops.set(key, response);
    const endSharing = (): void => {
      if (this.#sharedStops.get(key) === response) this.#sharedStops.delete(key);
    };
    response.then(
      (received) => {
        endSharing();
        // Released only after each joined request has retained it.
        setImmediate(() => received.release());
      },
      () => endSharing(),
    );
    this.#startNext();
    return response;
  }

  async #start(stop: PublicStop, request: ManagerRequest): Promise<BufferedResponse> {
    let hasBecomeSlow = false;
    this.#running.set(stop, false);
    const timer = clock.setTimeout(() => {
      hasBecomeSlow = true;
      this.#running.set(stop, true);
      this.#startNext();
    }, slowAfterMs);
    try {
      const response = await this.#managers.send(request);
      if (!(response instanceof BufferedResponse)) throw new TypeError('A file is not shared');
      return response;
    } finally {
      clock.clearTimeout(timer);
      this.#running.delete(stop);
      this.#removeExpiredSlow();
      if (hasBecomeSlow) this.#slowUntil.set(stop.node, clock.monotonic() + slowForMs);
      this.#startNext();
    }
  }

  #removeExpiredSlow(): void {
    for (const [node, until] of this.#slowUntil) if (until <= clock.monotonic()) this.#slowUntil.delete(node);
  }

  #startNext(): void {
    for (;;) {
      const promptCount = [...this.#running.values()].filter((isSlow) => !isSlow).length;
      const next = this.#waiting.findIndex(({ node }) =>
        this.#hasLowPriority(node) ? this.#running.size < maxLowPriority : promptCount < maxPromptCommands,
      );
      if (next === -1) return;
      this.#waiting.splice(next, 1)[0]?.start();
    }
  }

  /** Whether the node has a pending command or is slow, so that a further one would only occupy a thread of the manager. */
  #hasLowPriority(node: string): boolean {
    if ((this.#slowUntil.get(node) ?? 0) > clock.monotonic()) return true;
    return [...this.#running.keys()].some((stop) => stop.node === node);
  }
}
