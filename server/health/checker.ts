/** Checks one manager, one question at a time, whoever asks. */
import type { ManagerKey } from '../../api/managers.ts';
import { raceAbort } from '../concurrency/boundedWait.ts';
import { probe, type ProbeOutcome } from './probe.ts';
import { evaluateHealth, type Verdict } from './verdict.ts';

interface Running {
  readonly promise: Promise<Verdict | null>;
  readonly controller: AbortController;
  interested: number;
}

/**
 * Owner of the questions to one manager. Who asks while a question is under way shares its answer; when nobody is
 * interested any more, the connection is closed.
 */
export class ManagerChecker {
  readonly manager: ManagerKey;
  readonly url: string;
  #running: Running | null = null;
  #last: Verdict | null = null;
  #askedAt = 0;
  #onVerdict: (verdict: Verdict) => void;
  #ask: typeof probe;

  constructor(manager: ManagerKey, url: string, onVerdict: (verdict: Verdict) => void, ask: typeof probe = probe) {
    this.manager = manager;
    this.url = url;
    this.#onVerdict = onVerdict;
    this.#ask = ask;
  }

  /** Milliseconds since the last question was sent. */
  get msSinceAsked(): number {
    return performance.now() - this.#askedAt;
  }

  /** The verdict of a question that ends after this call; `null` when `signal` ended the interest in it. */
  async check(signal?: AbortSignal): Promise<Verdict | null> {
    if (signal?.aborted) return null;
    const running = (this.#running ??= this.#start());
    running.interested += 1;
    if (signal === undefined) return running.promise;
    return raceAbort(running.promise, signal, () => {
      running.interested -= 1;
      if (running.interested === 0) running.controller.abort();
    });
  }

  /** Ends a question that is under way; its answer is dropped. */
  abort(): void {
    this.#running?.controller.abort();
  }

  #start(): Running {
    const controller = new AbortController();
    this.#askedAt = performance.now();
    const promise = this.#ask(this.url, { signal: controller.signal }).then((outcome) => {
      if (this.#running?.controller === controller) this.#running = null;
      return controller.signal.aborted ? null : this.#conclude(outcome);
    });
    controller.signal.addEventListener('abort', () => {
      if (this.#running?.controller === controller) this.#running = null;
    });
    return { promise, controller, interested: 0 };
  }

  #conclude(outcome: ProbeOutcome): Verdict | null {
    if (outcome.kind === 'aborted') return null;
    this.#last = evaluateHealth(this.manager, outcome, this.#last, Date.now());
    this.#onVerdict(this.#last);
    return this.#last;
  }
}
