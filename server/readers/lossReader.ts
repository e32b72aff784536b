/** Finds active workflows that the workcell manager no longer has, because it was restarted without its store. */
import { clock } from '../../api/time/clock.ts';
import type { ActiveWorkflow, WorkflowsReading } from '../lab/activity.ts';
import type { LabModel } from '../lab/labModel.ts';
import type { Log } from '../logging/log.ts';
import { tooLongReason, type JsonResult, type requestJson } from '../net/requestJson.ts';
import { ManagerReader } from './managerReader.ts';

/** Interval of the checks for vanished workflows, in ms. */
const intervalMs = 15_000;
/** The number of vanished workflows to request: if the manager still has these, the others have ended as well. */
const maxChecks = 3;
const maxListed = 100;

/** All active workflows of a reading, of which the next one contains none. Times are ISO 8601 UTC. */
interface Vanished {
  readonly workcell: string;
  readonly workflows: readonly ActiveWorkflow[];
  readonly seen: string;
  readonly missed: string;
  /** The IDs of those that the manager still has. */
  readonly ended: Set<string>;
}

export class LossReader {
  readonly #lab: LabModel;
  readonly #log: Log;
  readonly #reader: ManagerReader;
  #vanished: Vanished | null = null;
  /** The time of the last reading, in ms since the epoch. */
  #readAt = 0;

  constructor(lab: LabModel, log: Log, request?: typeof requestJson) {
    this.#lab = lab;
    this.#log = log;
    this.#reader = new ManagerReader({
      address: () => lab.address('workcell'),
      next: () => {
        const [first] = this.#missing();
        return first === undefined ? intervalMs : { path: `workflow/${encodeURIComponent(first.id)}`, intervalMs: 0 };
      },
      onResult: (result, workcell) => this.#readVanished(result, workcell),
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
  compare(before: WorkflowsReading | null, { workcell, active }: WorkflowsReading): void {
    const ids = new Set(active.map(({ id }) => id));
    const isActiveAgain = ({ id }: ActiveWorkflow): boolean => ids.has(id);
    if (this.#vanished?.workflows.some(isActiveAgain)) this.#vanished = null;
    if (this.#lab.workcell.loss?.lost.workflows.some(isActiveAgain)) this.#lab.loss.value = null;
    const [seenAt, now] = [this.#readAt, clock.now()];
    this.#readAt = now;
    if (before === null || before.active.length === 0 || before.active.some(isActiveAgain)) return;
    const [seen, missed] = [new Date(seenAt).toISOString(), new Date(now).toISOString()];
    this.#vanished = { workcell, workflows: before.active, seen, missed, ended: new Set() };
  }

  /** The vanished workflows that are not known to have ended. */
  #missing(): readonly ActiveWorkflow[] {
    const { workflows = [], ended } = this.#vanished ?? {};
    const archived = new Set(this.#lab.workcell.archive?.ended.map(({ id }) => id));
    return workflows.filter(({ id }) => !archived.has(id) && !ended?.has(id));
  }

  #readVanished(result: JsonResult, workcell: string): boolean {
    const vanished = this.#vanished;
    const lost = this.#missing();
    const [first] = lost;
    if (vanished?.workcell !== workcell || first === undefined) {
      this.#vanished = null;
      return true;
    }
    if (result.ok || result.reason === tooLongReason) {
      vanished.ended.add(first.id);
      if (vanished.ended.size >= maxChecks) this.#vanished = null;
      return true;
    }
    if (result.status !== 404) return false;
    this.#vanished = null;
    const { seen, missed } = vanished;
    this.#log.warn(`The workcell manager no longer has ${lost.length} active workflows`, { seen, missed });
    const workflows = lost.slice(0, maxListed);
    this.#lab.loss.value = { workcell, lost: { seen, missed, total: lost.length, workflows } };
    return true;
  }
}
