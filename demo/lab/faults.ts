/** Simulates faults of the demo lab's managers, nodes, workcell engine and clock. */
import { managerKeys, type ManagerKey } from '../../api/managers.ts';
import type { DemoClock } from '../base/clock.ts';
import type { DemoServer } from '../http/demoServer.ts';
import type { ServerFault } from '../http/managerServer.ts';
import type { DemoNode } from '../nodes/node.ts';
import type { WorkcellState } from '../workcell/state.ts';

/** `down` closes the manager's port; the other faults affect its responses. */
export type ManagerFault = ServerFault | { readonly kind: 'down' };

/** The engine's loop has failed; no further steps start. */
type WorkcellFault = 'errored';

type NodeFault = 'unreachable' | 'errored';

interface FaultReport {
  readonly managers: Readonly<Record<ManagerKey, ManagerFault | null>>;
  readonly nodes: Readonly<Record<string, NodeFault | null>>;
  readonly workcell: WorkcellFault | null;
  readonly clock_error_ms: number;
}

interface RegisteredNode {
  readonly node: DemoNode;
  /** `null` for nodes that were added only to enlarge the lab: they have no port. */
  readonly server: DemoServer | null;
}

export class Faults {
  readonly #clock: DemoClock;
  readonly #managers = new Map<ManagerKey, ManagerFault>();
  readonly #servers = new Map<ManagerKey, DemoServer>();
  readonly #nodes = new Map<string, RegisteredNode>();
  readonly #workcell: WorkcellState;
  #clockError = 0;

  constructor(clock: DemoClock, workcell: WorkcellState) {
    this.#clock = clock;
    this.#workcell = workcell;
  }

  /** Registers the server of a manager, so that the fault `down` can close its port. */
  addManager(key: ManagerKey, server: DemoServer): void {
    this.#servers.set(key, server);
  }

  addNode(node: DemoNode, server: DemoServer | null): void {
    this.#nodes.set(node.name, { node, server });
  }

  get nodeNames(): readonly string[] {
    return [...this.#nodes.keys()];
  }

  /**
   * Returns the fault that the manager's server simulates; `null` for none, and for `down`, which closes its port
   * instead.
   */
  find(key: ManagerKey): ServerFault | null {
    const fault = this.#managers.get(key);
    return fault === undefined || fault.kind === 'down' ? null : fault;
  }

  async setManager(key: ManagerKey, fault: ManagerFault | null): Promise<void> {
    if (fault === null) this.#managers.delete(key);
    else this.#managers.set(key, fault);
    const server = this.#servers.get(key);
    await (fault?.kind === 'down' ? server?.stopListening() : server?.startListening());
  }

  /**
   * Sets the fault of a node. `null` ends it and also resets the node, so that a node in an error state, or one that
   * was shut down, becomes ready.
   */
  async setNode(name: string, fault: NodeFault | null): Promise<void> {
    const registered = this.#nodes.get(name);
    if (registered === undefined) throw new RangeError(`There is no node ${name}`);
    const { node, server } = registered;
    node.reachable = fault !== 'unreachable';
    await (node.reachable ? server?.startListening() : server?.stopListening());
    if (fault === 'errored') node.breakDown('motor stalled', 'HardwareError');
    if (fault === null) node.command('reset');
  }

  /**
   * Sets the fault of the workcell manager. `null` clears its errors, as a restart does, but its workflows
   * continue.
   */
  setWorkcell(fault: WorkcellFault | null): void {
    this.#workcell.setErrored(fault === 'errored');
  }

  setClockError(ms: number): void {
    this.#clockError = ms;
    this.#clock.setError(ms);
  }

  report(): FaultReport {
    const managers = managerKeys.map((key) => [key, this.#managers.get(key) ?? null] as const);
    const nodes = [...this.#nodes].map(([name, { node }]) => [name, nodeFault(node)] as const);
    return {
      managers: Object.fromEntries(managers) as Record<ManagerKey, ManagerFault | null>,
      nodes: Object.fromEntries(nodes),
      workcell: this.#workcell.errored ? 'errored' : null,
      clock_error_ms: this.#clockError,
    };
  }
}

function nodeFault(node: DemoNode): NodeFault | null {
  if (!node.reachable) return 'unreachable';
  return node.status().errored ? 'errored' : null;
}
