/** One action from its creation to its end; it takes its time on the demo clock and can be held and cancelled. */
import type { ActionResult, ActionStatus } from '../../api/managers/action.ts';
import type { ErrorEntry } from '../../api/client/wire.ts';
import type { Cancel } from '../base/clock.ts';
import type { UploadedFile } from '../base/handling.ts';
import type { ActionCall, ActionEnd, NodeAction } from './definition.ts';

interface RunWatcher {
  error(message: string, type: string): ErrorEntry;
  /** The action raised: the node goes into its error state. */
  crash(message: string, type: string): ErrorEntry;
}

export class ActionRun {
  readonly id: string;
  readonly history: ActionResult[] = [];
  /** Until it is started nobody can ask for it: its history is empty. */
  status: ActionStatus = 'not_started';
  readonly #action: NodeAction;
  readonly #watcher: RunWatcher;
  #call: ActionCall;
  #errors: readonly ErrorEntry[] = [];
  #end: ActionEnd | null = null;
  #left = 0;
  #since = 0;
  #cancelTimer: Cancel | null = null;

  constructor(id: string, action: NodeAction, call: ActionCall, watcher: RunWatcher) {
    this.id = id;
    this.#action = action;
    this.#call = call;
    this.#watcher = watcher;
  }

  /** A second start finds nothing to start. */
  get started(): boolean {
    return this.history.length > 0;
  }

  addFiles(argument: string, files: readonly UploadedFile[]): void {
    this.#call = { ...this.#call, files: { ...this.#call.files, [argument]: files } };
  }

  start(): void {
    this.#note();
    const missing = Object.values(this.#action.definition.files ?? {}).find(
      (file) => file.required && this.#call.files[file.name] === undefined,
    );
    if (missing !== undefined) {
      const { name } = this.#action.definition;
      this.#finish({
        status: 'crashed',
        message: `${name}() missing 1 required positional argument: '${missing.name}'`,
        type: 'TypeError',
      });
      return;
    }
    this.#set('running');
    this.#left = this.#action.takes(this.#call);
    if (this.#left <= 0) this.#finish(this.#action.end(this.#call));
    else this.goOn();
  }

  /** Ends the action before it began. */
  refuse(error: ErrorEntry): void {
    this.#note();
    this.#errors = [error];
    this.#set('not_ready');
  }

  hold(): void {
    if (this.#cancelTimer === null) return;
    this.#left -= this.#call.clock.now() - this.#since;
    this.#stopTimer();
  }

  goOn(): void {
    if (this.status !== 'running' || this.#cancelTimer !== null) return;
    this.#since = this.#call.clock.now();
    this.#cancelTimer = this.#call.clock.after(this.#left, () => this.#finish(this.#action.end(this.#call)));
  }

  cancel(): void {
    if (this.status !== 'running') return;
    this.#stopTimer();
    this.#set('cancelled');
  }

  files(): Readonly<Record<string, UploadedFile>> {
    return this.#end?.status === 'succeeded' ? (this.#end.files ?? {}) : {};
  }

  #finish(end: ActionEnd): void {
    this.#stopTimer();
    this.#end = end;
    switch (end.status) {
      case 'succeeded':
        break;
      case 'failed':
        this.#errors = [this.#watcher.error(end.message, end.type)];
        break;
      case 'crashed':
        this.#errors = [this.#watcher.crash(end.message, end.type)];
        break;
    }
    this.#set(end.status === 'succeeded' ? 'succeeded' : 'failed');
  }

  #set(status: ActionStatus): void {
    this.status = status;
    this.#note();
  }

  #note(): void {
    this.history.push(this.#snapshot());
  }

  #snapshot(): ActionResult {
    const files = Object.keys(this.files());
    return {
      action_id: this.id,
      status: this.status,
      errors: [...this.#errors],
      json_result: this.#end?.status === 'succeeded' ? (this.#end.json ?? null) : null,
      files: files.length === 0 ? null : files,
      datapoints: null,
      history_created_at: this.#call.clock.zoned(),
    };
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
