/** Does something to many things, a few at a time, with what came of each; what wasn't begun when it is stopped isn't sent. */
import { ManagerError } from '../../../../api/client/managerError.ts';
import type { OutcomeState } from '../../../../api/states.ts';
import { mayHaveHappened, resultOf } from '../../../managers/commands/useCommand.ts';
import { batchTexts as texts } from './texts.ts';

export interface BatchResult {
  /** `queued`: it was never sent. */
  readonly state: Extract<OutcomeState, 'done' | 'failed' | 'unclear' | 'queued'>;
  readonly words: string;
}

export interface Batch<Item> {
  readonly items: readonly Item[];
  /** What was done, in words; an error is what went wrong. The signal only ends what may be given up: reads. */
  readonly run: (item: Item, signal: AbortSignal) => Promise<string>;
  /** So many at a time: a browser opens six connections to a server. Things of one order go one by one. */
  readonly atOnce: number;
  /** Called as each ends, and for each that was never sent. */
  readonly onResult: (item: Item, result: BatchResult) => void;
}

/** @param signal stops it: what has been sent is waited for, because nobody would know what came of it */
export async function runBatch<Item>(batch: Batch<Item>, signal: AbortSignal): Promise<void> {
  const { items, run, atOnce, onResult } = batch;
  const left = [...items];
  async function worker(): Promise<void> {
    for (let item = left.shift(); item !== undefined; item = left.shift())
      onResult(item, signal.aborted ? { state: 'queued', words: texts.notSent } : await resultFor(run, item, signal));
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}

async function resultFor<Item>(run: Batch<Item>['run'], item: Item, signal: AbortSignal): Promise<BatchResult> {
  try {
    return { state: 'done', words: await run(item, signal) };
  } catch (error) {
    const { words } = resultOf(error, '');
    const state = error instanceof ManagerError && mayHaveHappened(error) ? 'unclear' : 'failed';
    return { state, words };
  }
}
