/** Runs one task at a time and shares it among all waiters; it is aborted when the last waiter leaves. */
import { raceAbort } from './boundedWait.ts';

interface Run<Value> {
  readonly promise: Promise<Value | null>;
  readonly controller: AbortController;
  waiterCount: number;
}

export class SharedTask<Value> {
  readonly #task: (signal: AbortSignal) => Promise<Value | null>;
  readonly #onResult: (value: Value) => void;
  #run: Run<Value> | null = null;

  /**
   * @param task its signal aborts when the last waiter leaves, or on `abort`
   * @param onResult called after the run has ended, so that it can start the next one
   */
  constructor(
    task: (signal: AbortSignal) => Promise<Value | null>,
    onResult: (value: Value) => void = () => undefined,
  ) {
    this.#task = task;
    this.#onResult = onResult;
  }

  /**
   * The result of a run that ends after this call; `null` when it was aborted, or `signal` aborted first. Without a
   * signal it waits until the run ends.
   * @throws what the task throws
   */
  async result(signal?: AbortSignal): Promise<Value | null> {
    if (signal?.aborted) return null;
    const run = (this.#run ??= this.#start());
    run.waiterCount += 1;
    if (signal === undefined) return run.promise;
    return raceAbort(run.promise, signal, () => {
      run.waiterCount -= 1;
      if (run.waiterCount === 0) this.#drop(run);
    });
  }

  /** Aborts the current run; its result is dropped. */
  abort(): void {
    if (this.#run) this.#drop(this.#run);
  }

  #drop(run: Run<Value>): void {
    run.controller.abort();
    if (this.#run === run) this.#run = null;
  }

  #start(): Run<Value> {
    const controller = new AbortController();
    const ended = this.#task(controller.signal).finally(() => {
      if (this.#run === run) this.#run = null;
    });
    const run: Run<Value> = {
      controller,
      waiterCount: 0,
      promise: ended.then((value) => {
        if (controller.signal.aborted || value === null) return null;
        this.#onResult(value);
        return value;
      }),
    };
    return run;
  }
}
