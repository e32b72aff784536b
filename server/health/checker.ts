/** Checks one manager; concurrent checks share one probe. */
import { clock } from '../../api/time/clock.ts';
import type { ManagerKey } from '../../api/managers.ts';
import { SharedTask } from '../concurrency/sharedTask.ts';
import { probe, probeTimeoutMs, type ProbeOutcome } from './probe.ts';
import { evaluateHealth, type HealthCheckResult } from './evaluateHealth.ts';

/** How late a timeout may fire, in ms. If it fires later, this process was busy, and the response may have been received. */
const maxTimeoutDelayMs = 500;

export class ManagerChecker {
  #last: HealthCheckResult | null = null;
  #startedAt = 0;
  #wasProcessBusy = false;
  readonly #probe: SharedTask<HealthCheckResult>;

  /** @param onResult not called with a failure that this process may have caused */
  constructor(
    manager: ManagerKey,
    url: string,
    onResult: (result: HealthCheckResult) => void,
    runProbe: typeof probe = probe,
  ) {
    this.#probe = new SharedTask(
      async (signal) => {
        this.#startedAt = clock.monotonic();
        const outcome = await runProbe(url, { signal });
        this.#wasProcessBusy = isTimeoutLate(outcome);
        return outcome.kind === 'aborted' ? null : evaluateHealth(manager, outcome, this.#last, clock.now());
      },
      (result) => {
        if (this.#wasProcessBusy) return;
        this.#last = result;
        onResult(result);
      },
    );
  }

  /** Milliseconds since the last probe was sent. */
  get msSinceProbe(): number {
    return clock.monotonic() - this.#startedAt;
  }

  /** The result of a probe that ends after this call; `null` when it was aborted, or `signal` aborted first. */
  check(signal?: AbortSignal): Promise<HealthCheckResult | null> {
    return this.#probe.result(signal);
  }

  /** Aborts the current probe; its result is dropped. */
  abort(): void {
    this.#probe.abort();
  }
}

function isTimeoutLate(outcome: ProbeOutcome): boolean {
  return outcome.kind === 'failed' && !outcome.reached && outcome.latencyMs > probeTimeoutMs + maxTimeoutDelayMs;
}
