/**
 * The shell's own safety stop: to every node that was ever told of, with or without a dashboard, a service or a workcell
 * manager. It knows the nodes from the service, and from its file when there is no service.
 */
import type { AdminCommand } from '../../api/managers/action.ts';
import { stopCommands, type RecordFacts } from '../../api/commandRecord.ts';
import { createClient } from '../../api/client/client.ts';
import { nodeApi } from '../../api/managers/node.ts';
import {
  releasingCommands,
  sendingOutcome,
  stopUntilConfirmed,
  type StopOutcome,
  type StopWays,
} from '../../api/safetyStop.ts';
import { workcellApi } from '../../api/managers/workcell.ts';
import type { CommandLog } from './commandLog.ts';
import { errorText, type Log } from '../../server/logging/log.ts';
import { knownNodesOf, type KnownNode, type KnownNodes } from '../../server/nodes/knownNodes.ts';

/** How long the workcell manager has before nodes are asked themselves as well, in ms. */
const patienceMs = 1500;
/** For one way to one node, in ms. */
const deadlineMs = 10_000;

/** A result is recorded this long after the press, in ms, so that pages need not wait for the last attempt. */
const interimMs = 3000;

export interface StopRow {
  readonly name: string;
  readonly outcome: StopOutcome;
  readonly attempt: number;
  /** What came of its release, `null` as long as there was none. */
  readonly released: 'sending' | 'released' | string | null;
}

export interface StopReport {
  /** The lab and its machine: `Bench on lab-pc`. */
  readonly lab: string;
  /** When it was pressed, in ms since the epoch. */
  readonly sentAt: number;
  readonly rows: readonly StopRow[];
  /** Nodes that didn't confirm are being sent the stop again. */
  readonly isSending: boolean;
}

export interface SafetyStopWiring {
  readonly nodes: () => KnownNodes | null;
  /** The lab and its machine, for the report. */
  readonly lab: () => string;
  /** Why nothing may be sent: which machine the nodes are of isn't known; `null` when it is. */
  readonly refusal: () => string | null;
  readonly log: Log;
  readonly onChange: () => void;
  /** Records in the lab's event log; returns the ID of the event. */
  readonly record: CommandLog['record'];
}

export class SafetyStop {
  readonly #wiring: SafetyStopWiring;
  #report: StopReport | null = null;
  #workcell: string | null = null;
  #targets = new Map<string, KnownNode>();
  #round = new AbortController();
  /** The event of the last press. */
  #stopId: string | null = null;

  constructor(wiring: SafetyStopWiring) {
    this.#wiring = wiring;
  }

  /** What came of the last one, `null` when there was none or it was put away. */
  get report(): StopReport | null {
    return this.#report;
  }

  /**
   * At once, to every known node at the same time, and to those that the workcell manager names besides.
   * @param isConfirmed a person has just confirmed which machine the nodes are of
   * @throws Error with the reason where it is refused
   */
  async stop(isConfirmed = false): Promise<void> {
    const refusal = isConfirmed ? null : this.#wiring.refusal();
    if (refusal !== null) throw new Error(refusal);
    this.#round.abort();
    this.#round = new AbortController();
    const { signal } = this.#round;
    const known = this.#wiring.nodes();
    this.#workcell = known?.workcell ?? null;
    this.#targets = new Map();
    const sentAt = Date.now();
    const lab = this.#wiring.lab();
    this.#setReport({ lab, sentAt, rows: [], isSending: true });
    const nodes = known?.nodes ?? [];
    this.#wiring.log.warn(`Safety stop to ${nodes.length} known nodes of ${lab}`);
    const stopping = Promise.all([
      ...nodes.map((node) => this.#stopNode(node, signal)),
      this.#stopUnknown(nodes, signal),
    ]);
    this.#stopId = this.#record(stopCommands.stop, sentAt, 'sent', 'Safety stop');
    const interim = setTimeout(() => this.#recordResult(signal), interimMs);
    await stopping;
    clearTimeout(interim);
    this.#recordResult(signal);
    if (signal.aborted || !this.#report) return;
    this.#setReport({ ...this.#report, isSending: false });
    for (const { name, outcome } of this.#report.rows) {
      this.#wiring.log.warn(`Safety stop of ${name}: ${outcome.state}`, { reason: outcome.reason, did: outcome.did });
    }
  }

  /** Sends nothing again; what came of it stays. */
  callOff(): void {
    this.#round.abort();
    if (this.#report) this.#setReport({ ...this.#report, isSending: false });
  }

  /** Puts the report away. */
  dismiss(): void {
    this.callOff();
    this.#report = null;
    this.#wiring.onChange();
  }

  /** Undoes exactly what each node confirmed. */
  async release(): Promise<void> {
    this.callOff();
    const rows = this.#report?.rows ?? [];
    const began = Date.now();
    await Promise.all(rows.map((row) => this.#releaseNode(row)));
    if (this.#report === null || this.#stopId === null) return;
    this.#record(stopCommands.release, began, canRelease(this.#report) ? 'failed' : 'done', 'Release', this.#stopId);
  }

  #recordResult(signal: AbortSignal): void {
    if (this.#round.signal !== signal || this.#report === null || this.#stopId === null) return;
    const { rows } = this.#report;
    const { confirmed } = countStopped(this.#report);
    const text = `${confirmed} of ${rows.length} nodes confirmed`;
    const result = confirmed === rows.length ? 'done' : 'unclear';
    this.#record(stopCommands.result, Date.now(), result, 'Safety stop: result', this.#stopId, text);
  }

  #record(
    command: string,
    sentAt: number,
    result: RecordFacts['result'],
    what: string,
    stopId?: string,
    reason = '',
  ): string {
    const nodes = (this.#report?.rows ?? []).map(({ name, outcome }) => ({
      name,
      workcell: this.#workcell ?? '',
      result: outcome.state,
      reason: outcome.reason,
      did: [...outcome.did],
      before: [],
    }));
    const target = { kind: 'lab', id: null, name: 'all nodes' } as const;
    const times = { sent_at: new Date(sentAt).toISOString(), duration_ms: Math.max(0, Date.now() - sentAt) };
    const of = stopId === undefined ? {} : { stop_id: stopId };
    return this.#wiring.record({ command, target, result, reason, ...times, ...of, nodes }, what);
  }

  async #stopNode(node: KnownNode, signal: AbortSignal): Promise<void> {
    this.#targets.set(node.name, node);
    this.#put({ name: node.name, outcome: sendingOutcome, attempt: 1, released: null });
    const ways = this.#ways(node);
    await stopUntilConfirmed(
      ways,
      (outcome, attempt) => {
        // Called off, it still says what comes of what was sent; an earlier press says nothing any more.
        if (this.#round.signal === signal) this.#put({ name: node.name, outcome, attempt, released: null });
      },
      signal,
    );
  }

  /** Nodes that joined since the last reading. */
  async #stopUnknown(known: readonly KnownNode[], signal: AbortSignal): Promise<void> {
    if (this.#workcell === null) return;
    const client = createClient(workcellApi, { baseUrl: this.#workcell, deadlineMs });
    try {
      const found = knownNodesOf(this.#workcell, await client.getNodes({}, { signal }));
      const names = new Set(known.map(({ name }) => name));
      const others = (found?.nodes ?? []).filter(({ name }) => !names.has(name));
      await Promise.all(others.map((node) => this.#stopNode(node, signal)));
    } catch (error) {
      this.#wiring.log.warn(`The workcell manager did not list other nodes: ${errorText(error)}`);
    }
  }

  async #releaseNode(row: StopRow): Promise<void> {
    const node = this.#targets.get(row.name);
    const commands = releasingCommands(row.outcome.did);
    if (node === undefined || commands.length === 0) return;
    this.#put({ ...row, released: 'sending' });
    const ways = this.#ways(node);
    const failures: string[] = [];
    for (const command of commands) {
      const failure = await sendEitherWay(ways, command);
      if (failure !== null) failures.push(`${command}: ${failure}`);
    }
    this.#put({ ...row, released: failures.length === 0 ? 'released' : failures.join('; ') });
  }

  #ways({ name, url, commands }: KnownNode): StopWays {
    const workcell = this.#workcell;
    const manager = workcell === null ? null : createClient(workcellApi, { baseUrl: workcell, deadlineMs });
    const direct = url === null ? null : createClient(nodeApi, { baseUrl: url, deadlineMs });
    return {
      throughWorkcell:
        manager === null ? null : (command) => manager.sendCommand({ command, node: name }, { deadlineMs }),
      direct: direct === null ? null : (command) => direct.sendCommand({ admin_command: command }, { deadlineMs }),
      commands,
      patienceMs,
    };
  }

  #put(row: StopRow): void {
    if (!this.#report) return;
    const others = this.#report.rows.filter(({ name }) => name !== row.name);
    const rows = [...others, row].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    this.#setReport({ ...this.#report, rows });
  }

  #setReport(report: StopReport): void {
    this.#report = report;
    this.#wiring.onChange();
  }
}

/** Through the workcell manager, else straight to the node. @returns why it failed, `null` when it was done */
async function sendEitherWay(
  { throughWorkcell, direct }: Pick<StopWays, 'throughWorkcell' | 'direct'>,
  command: AdminCommand,
): Promise<string | null> {
  let reason = 'the node has no address';
  for (const send of [throughWorkcell, direct]) {
    if (send === null) continue;
    try {
      const answer = await send(command);
      if (answer?.success) return null;
      reason = (answer?.errors ?? []).map(({ message }) => message ?? '').join('; ') || 'refused';
      // The node has answered: asking it once more by another way changes nothing.
      return reason;
    } catch (error) {
      reason = errorText(error);
    }
  }
  return reason;
}

/** How many nodes of a report confirmed a stop, and which are not known to have stopped. Pure. */
export function countStopped({ rows }: StopReport): { readonly confirmed: number; readonly others: readonly string[] } {
  const confirmed = rows.filter(({ outcome }) => outcome.state === 'confirmed').length;
  const others = rows.filter(({ outcome }) => outcome.state !== 'confirmed' && outcome.state !== 'sending');
  return { confirmed, others: others.map(({ name }) => name) };
}

/** Whether something of the report can be undone. Pure. */
export function canRelease({ rows }: StopReport): boolean {
  return rows.some(({ outcome, released }) => releasingCommands(outcome.did).length > 0 && released !== 'released');
}
