/** One simulated instrument: its status, its commands, and its actions, which run on the demo clock. */
import { adminCommand, type ActionResult, type AdminCommandResponse } from '../../api/managers/action.ts';
import { nodeApi, type NodeInfo, type NodeStatus } from '../../api/managers/node.ts';
import type { ErrorEntry, JsonObject } from '../../api/client/wire.ts';
import type { DemoClock } from '../base/clock.ts';
import type { LogSink } from '../base/demoManager.ts';
import { ErrorResponse, type Handlers } from '../base/handlers.ts';
import type { Random } from '../base/random.ts';
import { servedEndpoints, unservedEndpoints } from '../base/unservedEndpoints.ts';
import { ActionRun } from './actionRun.ts';
import { filledArguments, invalidArguments, type NodeKind, type NodeWorld, type ActionFiles } from './definition.ts';
import { describeStatus, nodeInfo } from './description.ts';

interface NodeParts {
  readonly name: string;
  readonly kind: NodeKind;
  readonly clock: DemoClock;
  readonly random: Random;
  readonly world: NodeWorld;
  /** The node's address, available once its port is open. */
  readonly url: () => string;
  /** Receives lines for the event manager's log; without it, they are dropped. */
  readonly eventLog?: LogSink;
}

/** The start of an error state in milliseconds, and the ID of the action that raised it; null for a requested fault. */
interface Breakdown {
  readonly since: number;
  readonly actionId: string | null;
}

/** The log lines of a node after a command. MADSci logs only locks; the stop is an addition of this node. */
const commandLines: Readonly<Record<string, readonly ['info' | 'warning', string]>> = {
  lock: ['info', 'Node locked'],
  unlock: ['info', 'Node unlocked'],
  safety_stop: ['warning', 'Safety stop: all motion halted'],
};

export class DemoNode {
  readonly name: string;
  readonly id: string;
  readonly kind: NodeKind;
  readonly state: JsonObject;
  /** Whether it responds; the fault control and the command `shutdown` change it. */
  reachable = true;
  /** Called on shutdown, to close the node's port as well. */
  onShutdown: (() => void) | null = null;
  /** The current breakdown; null without an error. */
  breakdown: Breakdown | null = null;
  /** The commands that it executed, oldest first. */
  readonly receivedCommands: string[] = [];
  readonly #parts: NodeParts;
  readonly #flags = { paused: false, locked: false, stopped: false, errored: false };
  readonly #errors: ErrorEntry[] = [];
  readonly #runs = new Map<string, ActionRun>();

  constructor(parts: NodeParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.kind = parts.kind;
    this.id = parts.random.ulid();
    this.state = { ...parts.kind.state };
  }

  get url(): string {
    return this.#parts.url();
  }

  status(): NodeStatus {
    const running = this.#running().map(({ id }) => id);
    const flags = { ...this.#flags, busy: running.length > 0, disconnected: false };
    return {
      ...flags,
      running_actions: running,
      errors: this.#errors.map((error) => ({ ...error })),
      initializing: false,
      waiting_for_config: [],
      config_values: {},
      ...describeStatus(flags),
    };
  }

  info(): NodeInfo {
    return nodeInfo(this);
  }

  /** Returns the supported commands, sorted as in its capabilities. */
  commands(): string[] {
    return [...new Set(['lock', 'unlock', 'reset', 'shutdown', ...this.kind.commands])].toSorted();
  }

  command(command: string): AdminCommandResponse {
    if (!adminCommand.values.some((word) => word === command)) throw new ErrorResponse(422, 'Unknown admin command');
    if (!this.commands().includes(command)) {
      const message = `Admin command AdminCommands.${command.toUpperCase()} not implemented by this node`;
      return { success: false, errors: [this.#error(message, 'AdminCommandNotImplemented')], data: null };
    }
    this.receivedCommands.push(command);
    const data = this.#executeCommand(command);
    const [level, message] = commandLines[command] ?? [];
    if (level !== undefined && message !== undefined) {
      const origin = { component: this.name, source: { node_id: this.id }, data: { node_id: this.id } };
      this.#parts.eventLog?.({ ...origin, level, message, eventType: 'node_status_update' });
    }
    return { success: true, errors: [], data };
  }

  #running(): ActionRun[] {
    return [...this.#runs.values()].filter((run) => run.result.status === 'running');
  }

  #executeCommand(command: string): unknown {
    const running = this.#running();
    switch (command) {
      case 'pause':
        this.#flags.paused = true;
        for (const run of running) run.suspend();
        break;
      case 'resume':
        this.#flags.paused = false;
        for (const run of running) run.resume();
        break;
      case 'cancel':
        for (const run of running) run.cancel();
        break;
      case 'safety_stop':
        this.#flags.stopped = true;
        for (const run of running) run.cancel();
        break;
      case 'lock':
      case 'unlock':
        this.#flags.locked = command === 'lock';
        break;
      case 'reset':
        // The list of errors is kept, because it is history.
        for (const run of running) run.cancel();
        this.breakdown = null;
        Object.assign(this.#flags, { errored: false, stopped: false, paused: false, locked: false });
        break;
      case 'shutdown':
        for (const run of running) run.cancel();
        this.reachable = false;
        this.onShutdown?.();
        break;
      case 'get_location':
        return this.state['position'] ?? {};
      default:
    }
    return null;
  }

  /** Puts the node into its error state, as an exception in an action does. */
  breakDown(message: string, type: string, actionId: string | null = null): ErrorEntry {
    const error = this.#error(message, type);
    this.#flags.errored = true;
    this.breakdown = { since: this.#parts.clock.now(), actionId };
    this.#errors.push(error);
    const origin = { component: this.name, source: { node_id: this.id }, data: { error: { ...error } } };
    this.#parts.eventLog?.({ ...origin, level: 'error', message: 'Node exception', eventType: 'node_error' });
    return error;
  }

  /** Starts an action. 404 for an unknown one, 422 for wrong arguments; `not_ready` if the node isn't ready. */
  start(name: string, args: JsonObject, files: ActionFiles = {}): ActionResult {
    const action = this.kind.actions.find(({ definition }) => definition.name === name);
    if (action === undefined) throw new ErrorResponse(404, 'Not Found');
    const invalid = invalidArguments(action.definition, args, files);
    if (invalid.length > 0) throw new ErrorResponse(422, `Invalid arguments: ${invalid.join(', ')}`);
    const { clock, random, world } = this.#parts;
    const id = random.ulid();
    const call = { files, state: this.state, config: this.kind.config, clock, random, world };
    const run = new ActionRun(
      id,
      action,
      { ...call, args: filledArguments(action.definition, args) },
      {
        error: (message, type) => this.#error(message, type),
        crash: (message, type) => this.breakDown(message, type, id),
      },
    );
    const { ready, description } = this.status();
    this.#runs.set(id, run);
    if (ready) run.start();
    else run.reject(this.#error(`Node is not ready: ${description ?? ''}`, 'NodeNotReady'));
    return run.result;
  }

  /** Returns the current result of the action; undefined for an unknown one. */
  result(id: string): ActionResult | undefined {
    return this.#runs.get(id)?.result;
  }

  /** Returns the files that an action produced, by label. */
  files(id: string): ActionFiles {
    return this.#runs.get(id)?.files() ?? {};
  }

  history(): Record<string, readonly ActionResult[]> {
    return Object.fromEntries([...this.#runs].map(([id, run]) => [id, run.history]));
  }

  #error(message: string, type: string): ErrorEntry {
    return { message, logged_at: this.#parts.clock.naive(), error_type: type };
  }
}

/** The part of a node's REST interface that pages use; all other calls go through the workcell. */
export const servedNodeApi = servedEndpoints(nodeApi, unservedEndpoints.node);

export function nodeHandlers(node: DemoNode): Handlers<typeof servedNodeApi> {
  return {
    getStatus: () => node.status(),
    sendCommand: ({ params }) => node.command(params['admin_command'] ?? ''),
    getActionHistory: () => node.history(),
  };
}
