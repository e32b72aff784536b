/** The state of the workcell manager, and its interface to the managers and nodes. */
import type { Node, NodeInfo, NodeStatus } from '../../api/managers/node.ts';
import type { ErrorEntry, JsonObject, OwnershipInfo } from '../../api/client/wire.ts';
import type { DemoClock } from '../base/clock.ts';
import type { UploadedFile } from '../base/handlers.ts';
import type { DemoNode } from '../nodes/node.ts';
import type { Identity, LogSink } from '../base/demoManager.ts';
import type { Random } from '../base/random.ts';
import type { Definition, Run } from './run.ts';

export interface LabLocation {
  readonly id: string;
  readonly name: string;
  /** By node name. */
  readonly representations: Readonly<Record<string, unknown>>;
  readonly resourceId: string | null;
}

/** The workcell manager's view of the lab; the real one reads it over HTTP. */
export interface LabView {
  location(nameOrId: string): LabLocation | undefined;
  locations(): readonly LabLocation[];
  /** Returns the definition of the workflow that transfers between two locations. @throws ErrorResponse */
  plan(sourceId: string, targetId: string): JsonObject;
  /** Returns a resource as its manager serves it. */
  resource(idOrName: string): JsonObject | undefined;
  addJson(label: string, value: unknown, ownership: OwnershipInfo): string;
  addFile(label: string, file: UploadedFile, ownership: OwnershipInfo): string;
  /** Returns the value of a JSON datapoint. */
  json(datapointId: string): unknown;
  file(datapointId: string): UploadedFile | undefined;
  /** Returns the node at an address; undefined if there is none, or it doesn't respond. */
  node(url: string): DemoNode | undefined;
}

/** In milliseconds; the defaults are those of the real manager's settings. */
export interface Timing {
  readonly tick: number;
  readonly poll: number;
  readonly info: number;
  readonly reconnect: number;
}

export const usualTiming: Timing = { tick: 5000, poll: 2000, info: 30_000, reconnect: 30_000 };

/** The workcell's record of a node: the last read status and the next poll. */
export interface NodeRecord {
  readonly url: string;
  /** True for nodes in the settings: only these have an address in `/workcell`. */
  readonly configured: boolean;
  status: NodeStatus | null;
  info: NodeInfo | null;
  state: JsonObject | null;
  infoAt: number;
  /** The time before which a disconnected node isn't polled. */
  retryAt: number;
  /** True from the start of an action until the next poll, which shows that the node is busy. */
  locked: boolean;
}

interface WorkcellParts {
  readonly name: string;
  readonly description: string;
  readonly identity: Identity;
  readonly clock: DemoClock;
  readonly random: Random;
  readonly lab: LabView;
  readonly timing: Timing;
  readonly log: LogSink;
}

export class WorkcellState {
  readonly parts: WorkcellParts;
  readonly nodes = new Map<string, NodeRecord>();
  readonly definitions = new Map<string, Definition>();
  readonly active = new Map<string, Run>();
  readonly archived = new Map<string, Run>();
  /** Workflow IDs; pausing and resuming between two ticks adds one twice. */
  queue: string[] = [];
  /** True after the engine's loop failed: no step starts until a restart, everything else continues. */
  errored = false;
  readonly errors: ErrorEntry[] = [];
  /** The earliest start times of the next steps, by workflow ID, after a node reported `not_ready`. */
  readonly notBefore = new Map<string, number>();

  constructor(parts: WorkcellParts) {
    this.parts = parts;
  }

  find(id: string): Run | undefined {
    return this.active.get(id) ?? this.archived.get(id);
  }

  /** Marks a workflow as active (again), regardless of its status. */
  activate(run: Run): void {
    this.archived.delete(run.id);
    this.active.set(run.id, run);
  }

  archive(run: Run): void {
    this.active.delete(run.id);
    this.archived.set(run.id, run);
  }

  addNode(name: string, url: string, configured: boolean): NodeRecord {
    const unknown = { status: null, info: null, state: null, infoAt: -Infinity, retryAt: -Infinity, locked: false };
    const record: NodeRecord = { url, configured, ...unknown };
    this.nodes.set(name, record);
    return record;
  }

  /**
   * Simulates a failure of the engine's loop, like an exception in the real one; false clears the errors, as a
   * restart does.
   */
  setErrored(errored: boolean): void {
    this.errored = errored;
    if (errored) this.errors.push(this.error('the store of the workcell does not answer', 'ConnectionError'));
    else this.errors.length = 0;
  }

  error(message: string, type: string | null): ErrorEntry {
    return { message, logged_at: this.parts.clock.naive(), error_type: type };
  }

  /** Returns the node; undefined if it does not respond. */
  reach(record: NodeRecord): DemoNode | undefined {
    return this.parts.lab.node(record.url);
  }
}

export function nodeView(record: NodeRecord): Node {
  const { url, status, info, state } = record;
  return { node_url: url, status, info, state, reservation: null };
}
