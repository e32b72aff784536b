/** Cache of the timeline's workflows: those of the archive, and those not archived yet. Pure except for this state. */
import { hostTime, type HostClock } from '#api/time/time.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { listStepSpans, type ChildWorkflows, type StepSpan } from '#dashboard/managers/workcell/stepSpans.ts';
import type { ExecutingNodes } from '#dashboard/managers/workcell/workflowState.ts';
import { isComplete } from '#dashboard/managers/transport/poll/newestPages.ts';
import { sameJson } from '#api/sameJson.ts';
import { buildLayer } from '../layer/buildLayer.ts';
import type { Layer, TextTable } from '../layer/layer.ts';
import { type ArchiveScope, maxSteps } from './messages.ts';
import { trimWorkflow } from './trimWorkflow.ts';

export class KnownWorkflows {
  #archived = new Map<string, Workflow>();
  #current = new Map<string, Workflow>();
  /** No longer active, and not in the archive response yet. */
  #leftActive = new Map<string, Workflow>();
  #requestedCount = 0;
  #receivedCount = 0;
  #hasChanged = true;
  #clock: HostClock = { zone: '+00:00', aheadMs: 0 };
  #nodes: ExecutingNodes = {};
  #spans = new WeakMap<Workflow, readonly StepSpan[]>();
  #scope: ArchiveScope = { readCount: 0, requestedCount: 0, since: null, isTruncated: false };
  readonly #maxSteps: number;

  constructor(limit = maxSteps) {
    this.#maxSteps = limit;
  }

  setClock(clock: HostClock): void {
    if (sameJson(clock, this.#clock)) return;
    this.#clock = clock;
    this.#spans = new WeakMap();
    this.#hasChanged = true;
  }

  setNodes(nodes: ExecutingNodes): void {
    if (sameJson(nodes, this.#nodes)) return;
    this.#nodes = nodes;
    this.#hasChanged = true;
  }

  /**
   * Stores the `requestedCount` newest archived workflows; `newest` adds to the stored ones, `all` replaces them.
   */
  addArchive(workflows: Iterable<Workflow>, requestedCount: number, part: 'all' | 'newest'): void {
    const previous = this.#archived;
    const next = new Map(part === 'newest' ? previous : []);
    let received = 0;
    for (const workflow of workflows) {
      received += 1;
      const stored = previous.get(workflow.workflow_id);
      const trimmed = trimWorkflow(workflow);
      const isUnchanged = stored !== undefined && sameJson(stored, trimmed);
      next.set(workflow.workflow_id, isUnchanged ? stored : trimmed);
      if (!isUnchanged) this.#hasChanged = true;
    }
    if (part === 'all') {
      if (next.size !== previous.size || this.#requestedCount !== requestedCount) this.#hasChanged = true;
      [this.#requestedCount, this.#receivedCount] = [requestedCount, received];
    }
    this.#archived = next;
    // Workflows that left the active list but did not reach the archive are dropped.
    if (this.#leftActive.size > 0) this.#hasChanged = true;
    this.#leftActive.clear();
  }

  addCurrent(ids: readonly string[], changed: readonly Workflow[]): void {
    const idSet = new Set(ids);
    for (const [id, workflow] of this.#current) {
      if (idSet.has(id)) continue;
      this.#current.delete(id);
      if (!this.#archived.has(id)) this.#leftActive.set(id, workflow);
      this.#hasChanged = true;
    }
    for (const workflow of changed) {
      this.#current.set(workflow.workflow_id, trimWorkflow(workflow));
      this.#leftActive.delete(workflow.workflow_id);
      this.#hasChanged = true;
    }
  }

  /** Returns the layer of all workflows; `null` if nothing changed since the last call. */
  buildLayer(texts: TextTable): Layer | null {
    if (!this.#hasChanged) return null;
    this.#hasChanged = false;
    const parseStamp = (stamp: string | null | undefined) => hostTime(stamp, this.#clock);
    const all = new Map([...this.#archived, ...this.#leftActive, ...this.#current]);
    // Timestamps without a zone from one host can be compared as strings.
    const newestFirst = [...all.values()].toSorted((a, b) => compare(b.submitted_time ?? '', a.submitted_time ?? ''));
    let steps = 0;
    const fitting = newestFirst.filter((workflow) => (steps += workflow.steps.length) <= this.#maxSteps);
    const isTruncated = fitting.length < newestFirst.length;
    const isArchiveComplete =
      this.#requestedCount !== 0 && isComplete(this.#receivedCount, this.#requestedCount) && !isTruncated;
    const considered = isTruncated ? fitting : [...this.#archived.values()];
    this.#scope = {
      readCount: this.#archived.size,
      requestedCount: this.#requestedCount,
      since: isArchiveComplete || this.#requestedCount === 0 ? null : earliestSubmission(considered, parseStamp),
      isTruncated: isTruncated,
    };
    return buildLayer(
      fitting,
      parseStamp,
      texts,
      (workflow, children) => this.#listSpans(workflow, children, parseStamp),
      this.#nodes,
    );
  }

  get scope(): ArchiveScope {
    return this.#scope;
  }

  #listSpans(
    workflow: Workflow,
    children: ChildWorkflows,
    parseStamp: (stamp: string | null | undefined) => number | null,
  ) {
    // Not cached, because the children change independently.
    if (children.size > 0) return listStepSpans(workflow, parseStamp, children);
    const cached = this.#spans.get(workflow);
    if (cached !== undefined) return cached;
    const spans = listStepSpans(workflow, parseStamp);
    this.#spans.set(workflow, spans);
    return spans;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function earliestSubmission(
  workflows: readonly Workflow[],
  parseStamp: (stamp: string | null | undefined) => number | null,
): number | null {
  const submitTimes = workflows.flatMap(({ submitted_time: stamp }) => parseStamp(stamp) ?? []);
  return submitTimes.reduce<number | null>((first, time) => (first === null || time < first ? time : first), null);
}
