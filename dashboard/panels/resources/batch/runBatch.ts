/** Does something to many things, a few at a time, with what came of each; what wasn't begun when it is stopped isn't sent. */
import { ManagerError } from '../../../../api/client/managerError.ts';
import type { OutcomeState } from '../../../../api/states.ts';
import { mayHaveHappened, resultOfFailure } from '../../../managers/commands/commandResult.ts';
import { batchTexts as texts } from './texts.ts';

export interface BatchResult {
  /** `queued`: it was never sent. `skipped`: there was nothing to do for it, or it was wrong from the start. */
  readonly state: Extract<OutcomeState, 'done' | 'failed' | 'unclear' | 'queued'> | 'skipped';
  readonly words: string;
}

interface Batch<Item> {
  readonly items: readonly Item[];
  /** What was done, in words; an error is what went wrong. The signal only ends what may be given up: reads. */
  readonly run: (item: Item, signal: AbortSignal) => Promise<string>;
  /** So many at a time: a browser opens six connections to a server. Things of one order go one by one. */
  readonly atOnce: number;
  /** Called as each ends, and for each that was never sent. */
  readonly onResult: (item: Item, result: BatchResult) => void;
  /** Whether the manager has had enough for the moment: what it rejected so is sent again, for it did nothing. */
  readonly onPause?: (isPaused: boolean) => void;
}

/**
 * A browser on another machine may ask a manager 300 times a minute and 50 times a second, and may not read when it may go on.
 * In ms.
 */
const burstPause = 1000;
const minutePause = 10_000;

/** @param signal stops it: what has been sent is waited for, because nobody would know what came of it */
export async function runBatch<Item>(batch: Batch<Item>, signal: AbortSignal): Promise<void> {
  const { items, atOnce, onResult } = batch;
  const left = [...items];
  async function worker(): Promise<void> {
    for (let item = left.shift(); item !== undefined; item = left.shift())
      onResult(item, signal.aborted ? { state: 'queued', words: texts.notSent } : await resultFor(batch, item, signal));
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}

async function resultFor<Item>({ run, onPause }: Batch<Item>, item: Item, signal: AbortSignal): Promise<BatchResult> {
  for (;;) {
    try {
      return { state: 'done', words: await run(item, signal) };
    } catch (error) {
      if (!(error instanceof ManagerError) || error.status !== 429) return failedLine(error);
      onPause?.(true);
      await pause(error.retryAfterMs ?? (/burst/i.test(error.reason) ? burstPause : minutePause), signal);
      onPause?.(false);
      if (signal.aborted) return { state: 'queued', words: texts.notSent };
    }
  }
}

function failedLine(error: unknown): BatchResult {
  const { words } = resultOfFailure(error, '');
  return { state: mayHaveHappened(error) ? 'unclear' : 'failed', words };
}

/** Ends early when it is stopped. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
