/**
 * The desktop app's own safety stop: to every node that was ever listed, with or without a dashboard, a service or a workcell
 * manager. It knows the nodes from the service, and from its file when there is no service.
 */
import type { AdminCommand } from '../../api/managers/action.ts';
import { createClient } from '../../api/client/client.ts';
import type { CommandFacts } from '../../api/commandRecord.ts';
import type { LabStop } from '../../api/labStop.ts';
import { nodeApi } from '../../api/managers/node.ts';
import type { StopWays } from '../../api/safetyStop.ts';
import { safetyStopTexts as texts } from '../../api/safetyStopTexts.ts';
import { releasesOf, rowOf, type Release, type StopRow, type StopTarget } from '../../api/stopReport.ts';
import { stopDeadlineMs as deadlineMs, stopPatienceMs, StopRun } from '../../api/stopRun.ts';
import { workcellApi } from '../../api/managers/workcell.ts';
import { errorText, type Log } from '../../server/logging/log.ts';
import { knownNodesOf, type KnownNode, type KnownNodes } from '../../server/nodes/knownNodes.ts';

export interface StopReport {
  /** The lab and its machine: `Bench on lab-pc`. */
  readonly lab: string;
  /** When it was pressed, in ms since the epoch. */
  readonly sentAt: number;
  readonly rows: readonly StopRow[];
  /** Nodes that did not confirm are being sent the stop again. */
  readonly isSending: boolean;
  /** Nodes besides the known ones are being looked for. */
  readonly isLooking: boolean;
  /** How many nodes a release would reach. */
  readonly left: number;
}

export interface SafetyStopWiring {
  readonly nodes: () => KnownNodes | null;
  /** The lab and its machine, for the report. */
  readonly lab: () => string;
  /** Why nothing may be sent: it is not known which machine the nodes are of; `null` when it is. */
  readonly refusal: () => string | null;
  /** The safety stop in force in the lab, as the service publishes it. */
  readonly labStop: () => LabStop | null;
  /** As `labStop`, also while it is acknowledged. */
  readonly heldStop: () => LabStop | null;
  readonly log: Log;
  readonly onChange: () => void;
  /** Records in the lab's event log; returns the ID of the event. */
  readonly record: (facts: CommandFacts, what: string) => string;
}

export class SafetyStop {
  readonly #wiring: SafetyStopWiring;
  readonly #run: StopRun;
  /** Address of the workcell manager of the last press, empty without one. */
  #workcell = '';
  #lab = '';
  #isShown = false;

  constructor(wiring: SafetyStopWiring) {
    this.#wiring = wiring;
    this.#run = new StopRun({
      waysTo: (target) => this.#ways(target),
      heldBefore: ({ name }) => (this.#known(name)?.held ?? []) as readonly AdminCommand[],
      releases: (rows) => this.#releases(rows),
      release: (release, settled) => this.#releaseNode(release, settled),
      record: wiring.record,
      onChange: () => wiring.onChange(),
      now: () => Date.now(),
    });
  }

  /** The last stop while its report is open; `null` when there was none, or it is closed. */
  get report(): StopReport | null {
    const { rows, sentAt, isActive, isLooking } = this.#run;
    if (!this.#isShown || sentAt === null) return null;
    return { lab: this.#lab, sentAt, rows, isSending: isActive, isLooking, left: this.#releases(rows).length };
  }

  /** Whether there is a report to open: of this app's stop, or of the one in force in the lab. */
  get hasReport(): boolean {
    return this.#run.sentAt !== null || this.#wiring.labStop() !== null;
  }

  /**
   * At once, to every known node at the same time, and to those that the workcell manager lists besides.
   * @param isConfirmed a person has just confirmed which machine the nodes are of
   * @throws Error with the reason where it is refused
   */
  async stop(isConfirmed = false): Promise<void> {
    const refusal = isConfirmed ? null : this.#wiring.refusal();
    if (refusal !== null) throw new Error(refusal);
    this.#lab = this.#wiring.lab();
    const known = this.#wiring.nodes();
    this.#workcell = known?.workcell ?? '';
    const targets = (known?.nodes ?? []).map((node) => this.#target(node));
    this.#isShown = true;
    this.#wiring.log.warn(`Safety stop to ${targets.length} known nodes of ${this.#lab}`);
    await this.#run.stop({ known: async () => targets, listed: (signal) => this.#listed(signal) }, this.#inForce());
    for (const { name, outcome } of this.#run.rows) {
      this.#wiring.log.warn(`Safety stop of ${name}: ${outcome.state}`, { reason: outcome.reason, did: outcome.did });
    }
  }

  /** Opens the report again, of this app's stop or else of the one in force in the lab; sends nothing. */
  openReport(): void {
    const inForce = this.#wiring.labStop();
    this.#workcell = this.#wiring.nodes()?.workcell ?? this.#workcell;
    this.#isShown = true;
    if (inForce !== null || this.#lab === '') this.#lab = this.#wiring.lab();
    if (inForce === null) this.#wiring.onChange();
    else this.#run.adopt(inForce, this.#workcell);
    this.#wiring.onChange();
  }

  /** Takes in what the service has published of stops in force. */
  observe(): void {
    this.#run.observe(this.#wiring.heldStop());
  }

  /** Sends nothing again; what came of it stays. */
  callOff(): void {
    this.#run.callOff();
  }

  /** Closes the report; nodes that did not confirm are still sent the stop again. */
  closeReport(): void {
    this.#isShown = false;
    this.#wiring.onChange();
  }

  /** Undoes exactly what each node confirmed. */
  async release(): Promise<void> {
    await this.#run.release();
  }

  #inForce(): readonly StopRow[] {
    return (this.#wiring.heldStop()?.nodes ?? []).map((node) => rowOf(node, this.#workcell));
  }

  #known(name: string): KnownNode | undefined {
    return this.#wiring.nodes()?.nodes.find((node) => node.name === name);
  }

  #target({ name, url, commands }: KnownNode): StopTarget {
    return { workcell: this.#workcell, name, url, commands };
  }

  /** Nodes that joined since the last reading. */
  async #listed(signal: AbortSignal): Promise<readonly StopTarget[]> {
    if (this.#workcell === '') return [];
    const client = createClient(workcellApi, { baseUrl: this.#workcell, deadlineMs });
    try {
      const found = knownNodesOf(this.#workcell, await client.getNodes({}, { signal }));
      return (found?.nodes ?? []).map((node) => this.#target(node));
    } catch (error) {
      this.#wiring.log.warn(`The workcell manager did not list other nodes: ${errorText(error)}`);
      return [];
    }
  }

  /** By the commands that were confirmed: the app reads no flags while no service runs. */
  #releases(rows: readonly StopRow[]): readonly Release[] {
    return releasesOf({ rows, nodes: {}, workcell: this.#workcell, isRead: () => false });
  }

  async #releaseNode({ name }: Release, settled: Promise<Release>): Promise<string | null> {
    const { commands } = await settled;
    const { url = null, commands: known = null } = this.#known(name) ?? {};
    const ways = this.#ways({ workcell: this.#workcell, name, url, commands: known });
    const failures: string[] = [];
    // One after the other: a node that is still locked may refuse to go on.
    for (const command of commands) {
      const failure = await sendEitherWay(ways, command);
      if (failure !== null) failures.push(`${command}: ${failure}`);
    }
    return failures.length === 0 ? null : failures.join('; ');
  }

  #ways({ name, url, commands }: StopTarget): StopWays {
    const manager = this.#workcell === '' ? null : createClient(workcellApi, { baseUrl: this.#workcell, deadlineMs });
    const direct = url === null ? null : createClient(nodeApi, { baseUrl: url, deadlineMs });
    return {
      throughWorkcell:
        manager === null ? null : (command) => manager.sendCommand({ command, node: name }, { deadlineMs }),
      direct: direct === null ? null : (command) => direct.sendCommand({ admin_command: command }, { deadlineMs }),
      commands,
      patienceMs: stopPatienceMs,
    };
  }
}

/** Through the workcell manager, else straight to the node. @returns why it failed, `null` when it was done */
async function sendEitherWay(
  { throughWorkcell, direct }: Pick<StopWays, 'throughWorkcell' | 'direct'>,
  command: AdminCommand,
): Promise<string | null> {
  let reason: string = texts.noWorkcell;
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
export function countStopped({ rows }: Pick<StopReport, 'rows'>): {
  readonly confirmed: number;
  readonly others: readonly string[];
} {
  const confirmed = rows.filter(({ outcome }) => outcome.state === 'confirmed').length;
  const others = rows.filter(({ outcome }) => outcome.state !== 'confirmed' && outcome.state !== 'sending');
  return { confirmed, others: others.map(({ name }) => name) };
}

/** The stop as far as it still holds nodes or left some unconfirmed; `null` once its nodes are released. */
export function ownStop(report: StopReport | null): { readonly unconfirmed: readonly string[] } | null {
  if (report === null || (report.left === 0 && report.rows.some(({ releasedAt }) => releasedAt !== null))) return null;
  return { unconfirmed: countStopped(report).others };
}
