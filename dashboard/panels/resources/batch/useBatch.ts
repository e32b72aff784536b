/** Runs many operations of a page and collects their results; leaving the page stops them. */
import { currentTime } from '#dashboard/base/clock.ts';
import { pause } from '#api/time/pause.ts';
import { computed, onScopeDispose, shallowRef, triggerRef, type ComputedRef, type ShallowRef } from 'vue';
import type { BatchTarget } from '#api/commandRecord.ts';
import { ManagerError } from '#api/client/managerError.ts';
import {
  type CommandResult,
  mayHaveBeenExecuted,
  resultFromError,
} from '#dashboard/managers/commands/commandResult.ts';
import { useCommandLog } from '#dashboard/managers/commands/commandLog.ts';
import { useOutcomes } from '#dashboard/managers/commands/outcomes.ts';
import { performCommand, type Command } from '#dashboard/managers/commands/performCommand.ts';
import { useConfirmAddress } from '#dashboard/managers/commands/usePerformCommand.ts';
import { useConfirmedResources } from '#dashboard/managers/resource/confirmedResources.ts';
import { useResources } from '#dashboard/managers/resource/useResources.ts';
import { batchTexts as texts } from './texts.ts';
import type { OutcomeState } from '#api/states.ts';

/** Minimum time in ms between updates of the results. */
const updateIntervalMs = 150;

/** One operation of a batch, shown as a line of the report. */
export interface BatchLine {
  readonly key: string;
  readonly name: string;
  /** Target place, or empty. */
  readonly place: string;
  /** Line number in the imported file. */
  readonly line?: number;
}

/** A command whose response is the result as text. */
export type BatchCommand = Omit<Command<string>, 'manager' | 'isCurrent'>;

/**
 * A batch shows no dialog per operation: if the premise has changed or can't be read, the operation is not sent, its
 * result contains the reason, and it can be retried.
 */
async function performLine(command: BatchCommand): Promise<string> {
  let refusal = '';
  const performed = await performCommand(
    { ...command, manager: 'resource' },
    (finding) => {
      // Rate limited: the batch pauses and reads again.
      if (finding.kind === 'unread' && finding.error instanceof ManagerError && finding.error.status === 429)
        throw finding.error;
      refusal =
        finding.kind === 'changed'
          ? finding.differences.join(' ')
          : `Its current state could not be read: ${finding.reason}.`;
      return false;
    },
    // The batch is recorded as one entry: thousands of entries would exceed the event manager's rate limit.
    () => undefined,
  );
  if (performed.sent) return performed.response;
  throw new NotSentError(performed.refusal ?? refusal);
}

/** A check before sending rejected the operation. */
class NotSentError extends Error {}

/** Returns the result for the audit log; a successful operation has no text. */
function toBatchTarget({ name }: BatchLine, id: string, { state, text }: BatchResult): BatchTarget {
  const result = state === 'skipped' || state === 'notSent' ? 'queued' : state;
  return { id: id === '' ? null : id, name, result, reason: result === 'done' ? '' : text };
}

export interface BatchState<Line extends BatchLine> {
  /** The operations of the last batch, with the results so far; `null` before the first. */
  readonly lines: ShallowRef<readonly Line[] | null>;
  readonly results: ShallowRef<ReadonlyMap<string, BatchResult>>;
  readonly isRunning: ComputedRef<boolean>;
  readonly isStopping: ComputedRef<boolean>;
  /** Whether the manager's rate limit has paused the batch. */
  readonly isPaused: Readonly<ShallowRef<boolean>>;
  /** Operations that failed, are unconfirmed, or were not sent. */
  readonly retryable: ComputedRef<readonly Line[]>;
  /** @returns whether all operations succeeded */
  readonly start: (request: BatchRequest<Line>) => Promise<boolean>;
  readonly stop: () => void;
  /** Stops the batch and clears the results. Pending requests end in the list of outcomes, and a new batch can start. */
  readonly clear: () => void;
}

interface BatchRequest<Line extends BatchLine> {
  /** For the list of outcomes: `Move: 3 resources`. */
  readonly commandText: string;
  readonly lines: readonly Line[];
  readonly command: (line: Line) => BatchCommand;
  readonly concurrency: number;
  /** Lines of the report that are not executed, with the reason. */
  readonly skipped?: readonly (readonly [line: Line, reason: string])[];
}

interface BatchInput<Line extends BatchLine> extends Pick<BatchRequest<Line>, 'lines' | 'command' | 'concurrency'> {
  /** Resolves when the manager can respond in time. */
  readonly ready: () => Promise<unknown>;
}

/** Runs the operations and stores each result in `resultsByKey`; calls `publish` at intervals. */
async function runLines<Line extends BatchLine>(
  { lines, command, concurrency, ready }: BatchInput<Line>,
  resultsByKey: Map<string, BatchResult>,
  signal: AbortSignal,
  { onPause, publish }: { readonly onPause: (isPaused: boolean) => void; readonly publish: () => void },
): Promise<{ readonly all: readonly BatchResult[]; readonly targets: readonly BatchTarget[] }> {
  const results = new Map<string, BatchResult>();
  const targets: BatchTarget[] = [];
  let publishedAt = performance.now();
  await runBatch(
    {
      items: lines,
      run: async (line) => {
        await ready();
        return performLine(command(line));
      },
      concurrency,
      onPause,
      onResult: (line, result) => {
        results.set(line.key, result);
        targets.push(toBatchTarget(line, command(line).target.id, result));
        resultsByKey.set(line.key, result);
        if (performance.now() - publishedAt < updateIntervalMs) return;
        publishedAt = performance.now();
        publish();
      },
    },
    signal,
  );
  return { all: [...results.values()], targets };
}

/** Returns whether the operation failed, is unconfirmed, or was not sent. */
function isRetryable(result: BatchResult | undefined): boolean {
  return result !== undefined && result.state !== 'done' && result.state !== 'skipped';
}

/** Returns the result of the batch, with the first failure reason. */
function summarizeOutcome(all: readonly BatchResult[]): CommandResult {
  const count = (state: BatchResult['state']): number => all.filter((result) => result.state === state).length;
  const [done, unclear] = [count('done'), count('unclear')];
  const text = texts.summary(done, count('failed') + unclear, count('notSent'));
  const first = all.find(({ state }) => state === 'failed' || state === 'unclear' || state === 'notSent');
  return {
    state: done === all.length ? 'done' : unclear > 0 ? 'unclear' : 'failed',
    text: first === undefined ? `${text}.` : `${text}. ${first.text}`,
  };
}

/** The state of the running batch, which ends with the component. */
function useRunningBatch() {
  const abortController = shallowRef<AbortController | null>(null);
  const isStopped = shallowRef(false);
  const isPaused = shallowRef(false);
  function stop(): void {
    isStopped.value = abortController.value !== null;
    abortController.value?.abort();
  }
  function reset(): void {
    abortController.value = null;
    isStopped.value = false;
    isPaused.value = false;
  }
  onScopeDispose(stop);
  return { abortController, isStopped, isPaused, stop, reset };
}

export function useBatch<Line extends BatchLine>(): BatchState<Line> {
  const outcomes = useOutcomes();
  const log = useCommandLog();
  const { live } = useResources();
  const confirmed = useConfirmedResources();
  const lines = shallowRef<readonly Line[] | null>(null);
  const results = shallowRef<ReadonlyMap<string, BatchResult>>(new Map());
  const confirmAddress = useConfirmAddress();
  const { abortController, isStopped, isPaused, stop, reset } = useRunningBatch();

  async function start(request: BatchRequest<Line>): Promise<boolean> {
    const { commandText, lines: requestedLines, command, concurrency, skipped = [] } = request;
    if (abortController.value !== null || requestedLines.length === 0) return false;
    if (!(await confirmAddress('resource'))) return false;
    const controller = new AbortController();
    abortController.value = controller;
    // Operations that are not repeated keep their results.
    const retriedKeys = new Set(requestedLines.map(({ key }) => key));
    const isRetry = lines.value !== null && requestedLines.every(({ key }) => results.value.has(key));
    const remainingResults = new Map(isRetry ? [...results.value].filter(([key]) => !retriedKeys.has(key)) : []);
    for (const [{ key }, text] of skipped) remainingResults.set(key, { state: 'skipped', text });
    results.value = remainingResults;
    if (!isRetry) lines.value = [...requestedLines, ...skipped.map(([line]) => line)];
    const sentAt = currentTime();
    const report = outcomes.begin(commandText);
    const input = { lines: requestedLines, command, concurrency, ready: confirmed.fullReadEnded };
    const isCurrent = () => abortController.value === controller;
    // One read shows for all operations whether an earlier, unconfirmed request was executed.
    if (isRetry) await live.refresh().catch(() => undefined);
    const { all, targets } = await runLines(input, remainingResults, controller.signal, {
      onPause: (isWaiting) => void (isCurrent() && (isPaused.value = isWaiting)),
      publish: () => triggerRef(results),
    });
    if (isCurrent()) reset();
    triggerRef(results);
    const outcome = summarizeOutcome(all);
    report(outcome.state, outcome.text);
    const timing = { sentAt, durationMs: currentTime() - sentAt };
    const record = { verb: 'Change many', target: { kind: 'resource', id: '', name: commandText } } as const;
    log.recordCommand(record, commandText, timing, outcome, targets);
    // Responses have updated the page; the result of other operations is unknown.
    if (outcome.state !== 'done') live.retry();
    return outcome.state === 'done';
  }

  return {
    lines,
    results,
    isRunning: computed(() => abortController.value !== null),
    isPaused,
    isStopping: computed(() => abortController.value !== null && isStopped.value),
    retryable: computed(() => (lines.value ?? []).filter(({ key }) => isRetryable(results.value.get(key)))),
    start,
    stop,
    clear: () => {
      stop();
      reset();
      lines.value = null;
      results.value = new Map();
    },
  };
}

export interface BatchResult {
  /** `skipped`: there was nothing to do, or it was invalid from the start. */
  readonly state: Extract<OutcomeState, 'done' | 'failed' | 'unclear' | 'notSent'> | 'skipped';
  readonly text: string;
}

interface Batch<Item> {
  readonly items: readonly Item[];
  /** Returns the result as text or throws an error with the reason. */
  readonly run: (item: Item) => Promise<string>;
  /** Maximum concurrency: browsers open six connections per server. Order-dependent items run sequentially. */
  readonly concurrency: number;
  /** Called for each operation when it ends, and for each that was never sent. */
  readonly onResult: (item: Item, result: BatchResult) => void;
  /** Called when a rate limit pauses or resumes the batch; rejected requests had no effect and are sent again. */
  readonly onPause?: (isPaused: boolean) => void;
}

/**
 * Pauses after a rate limit, in ms. A browser on another machine can send a manager 300 requests a minute and 50 a
 * second, and can't read when to retry.
 */
const burstPauseMs = 1000;
const minutePauseMs = 10_000;

/** @param signal stops the batch after the pending requests, whose results would otherwise be unknown */
export async function runBatch<Item>(batch: Batch<Item>, signal: AbortSignal): Promise<void> {
  const { items, concurrency, onResult } = batch;
  const pending = [...items];
  async function worker(): Promise<void> {
    for (let item = pending.shift(); item !== undefined; item = pending.shift())
      onResult(item, signal.aborted ? { state: 'notSent', text: texts.notSent } : await runItem(batch, item, signal));
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}

async function runItem<Item>({ run, onPause }: Batch<Item>, item: Item, signal: AbortSignal): Promise<BatchResult> {
  for (;;) {
    try {
      return { state: 'done', text: await run(item) };
    } catch (error) {
      if (!(error instanceof ManagerError) || error.status !== 429) return failedResult(error);
      onPause?.(true);
      await pause(error.retryAfterMs ?? (/burst/i.test(error.reason) ? burstPauseMs : minutePauseMs), signal);
      onPause?.(false);
      if (signal.aborted) return { state: 'notSent', text: texts.notSent };
    }
  }
}

function failedResult(error: unknown): BatchResult {
  if (error instanceof NotSentError) return { state: 'notSent', text: error.message };
  const { text } = resultFromError(error, '');
  return { state: mayHaveBeenExecuted(error) ? 'unclear' : 'failed', text };
}
