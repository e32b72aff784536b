/** The execution of one action; it is timed by the demo clock, and can be paused and cancelled. */
import type { ActionResult, ActionStatus } from '../../api/managers/action.ts';
import type { ErrorEntry } from '../../api/client/wire.ts';
import type { Cancel } from '../base/clock.ts';
import type { ActionCall, ActionEnd, NodeAction, ActionFiles } from './definition.ts';

interface ErrorReporter {
  error(message: string, type: string): ErrorEntry;
  /** Called when the action raises an exception: the node enters its error state. */
  crash(message: string, type: string): ErrorEntry;
}

export class ActionRun {
  readonly id: string;
  /** Every status of the action, the newest last. */
  readonly history: ActionResult[] = [];
  /** The current result. */
  result: ActionResult;
  readonly #action: NodeAction;
  readonly #call: ActionCall;
  readonly #errorReporter: ErrorReporter;
  #errors: readonly ErrorEntry[] = [];
  #end: ActionEnd | null = null;
  #remainingMs = 0;
  #resumedAt = 0;
  #cancelTimer: Cancel | null = null;

  constructor(id: string, action: NodeAction, call: ActionCall, errorReporter: ErrorReporter) {
    this.id = id;
    this.#action = action;
    this.#call = call;
    this.#errorReporter = errorReporter;
    this.result = this.#record('not_started');
  }

  start(): void {
    this.result = this.#record('running');
    this.#remainingMs = this.#action.durationMs(this.#call);
    if (this.#remainingMs <= 0) this.#finish(this.#action.end(this.#call));
    else this.resume();
  }

  /** Ends the action before it starts. */
  reject(error: ErrorEntry): void {
    this.#errors = [error];
    this.result = this.#record('not_ready');
  }

  suspend(): void {
    if (this.#cancelTimer === null) return;
    this.#remainingMs -= this.#call.clock.now() - this.#resumedAt;
    this.#stopTimer();
  }

  resume(): void {
    if (this.result.status !== 'running' || this.#cancelTimer !== null) return;
    const { clock } = this.#call;
    this.#resumedAt = clock.now();
    this.#cancelTimer = clock.after(this.#remainingMs, () => this.#finish(this.#action.end(this.#call)));
  }

  cancel(): void {
    if (this.result.status !== 'running') return;
    this.#stopTimer();
    this.result = this.#record('cancelled');
  }

  /** Returns the files that the action produced, by label. */
  files(): ActionFiles {
    return this.#end?.status === 'succeeded' ? (this.#end.files ?? {}) : {};
  }

  #finish(end: ActionEnd): void {
    this.#stopTimer();
    this.#end = end;
    if (end.status === 'failed') this.#errors = [this.#errorReporter.error(end.message, end.type)];
    if (end.status === 'crashed') this.#errors = [this.#errorReporter.crash(end.message, end.type)];
    this.result = this.#record(end.status === 'succeeded' ? 'succeeded' : 'failed');
  }

  #record(status: ActionStatus): ActionResult {
    const files = Object.keys(this.files());
    const result: ActionResult = {
      action_id: this.id,
      status,
      errors: [...this.#errors],
      json_result: this.#end?.status === 'succeeded' ? (this.#end.json ?? null) : null,
      files: files.length === 0 ? null : files,
      datapoints: null,
      history_created_at: this.#call.clock.zoned(),
    };
    this.history.push(result);
    return result;
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
