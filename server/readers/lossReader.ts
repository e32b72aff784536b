/** Finds active workflows that the workcell manager no longer has, because it was restarted without its store. */
import { clock } from '../../api/time/clock.ts';
import type { ActiveWorkflow, WorkflowsReading } from '../lab/activity.ts';
import type { LabModel } from '../lab/labModel.ts';
import type { Log } from '../logging/log.ts';
import { tooLongReason, type JsonResult, type requestJson } from '../net/requestJson.ts';
import { ManagerReader } from './managerReader.ts';

/** Interval of the checks for vanished workflows, in ms. */
const intervalMs = 15_000;
const maxListed = 100;

/** All active workflows of a reading, of which the next one contains none. Times are ISO 8601 UTC. */
interface Vanished {
  readonly workcell: string;
  readonly workflows: readonly ActiveWorkflow[];
  readonly newest: ActiveWorkflow;
  readonly seen: string;
  readonly missed: string;
}

export class LossReader {
  readonly #lab: LabModel;
  readonly #log: Log;
  readonly #reader: ManagerReader;
  #vanished: Vanished | null = null;

  constructor(lab: LabModel, log: Log, request?: typeof requestJson) {
    this.#lab = lab;
    this.#log = log;
    this.#reader = new ManagerReader({
      address: () => lab.address('workcell'),
      // The newest one ends last: if the manager still has it, all of them have ended.
      next: () =>
        this.#vanished === null
          ? intervalMs
          : { path: `workflow/${encodeURIComponent(this.#vanished.newest.id)}`, intervalMs },
      onResult: (result, workcell) => this.#readNewest(result, workcell),
      request,
    });
  }

  start(): void {
    this.#reader.startIn(0);
  }

  stop(): void {
    this.#reader.stop();
  }

  /** Compares a reading of the active workflows with the previous one of the same manager. */
  compare(before: WorkflowsReading | null, { workcell, active, at }: WorkflowsReading): void {
    const newest = before?.active.at(-1);
    const ids = new Set(active.map(({ id }) => id));
    if (before === null || newest === undefined || before.active.some(({ id }) => ids.has(id))) return;
    const now = clock.now();
    const seen = new Date(now - (at - before.at)).toISOString();
    this.#vanished = { workcell, workflows: before.active, newest, seen, missed: new Date(now).toISOString() };
  }

  #readNewest(result: JsonResult, workcell: string): boolean {
    const isMissing = !result.ok && result.status === 404;
    if (!result.ok && !isMissing && result.reason !== tooLongReason) return false;
    const vanished = this.#vanished;
    this.#vanished = null;
    if (!isMissing || vanished?.workcell !== workcell) return true;
    const { seen, missed } = vanished;
    const ended = new Set(this.#lab.workcell.archive?.ended.map(({ id }) => id));
    const lost = vanished.workflows.filter(({ id }) => !ended.has(id));
    this.#log.warn(`The workcell manager no longer has ${lost.length} active workflows`, { seen, missed });
    const workflows = lost.slice(0, maxListed);
    this.#lab.loss.value = { workcell, lost: { seen, missed, total: lost.length, workflows } };
    return true;
  }
}
