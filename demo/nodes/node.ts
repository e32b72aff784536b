/** One simulated instrument: its status, its commands and the actions that it runs on the demo clock. */
import type { ActionResult, AdminCommandAnswer } from '../../api/action.ts';
import type { NodeInfo, NodeStatus } from '../../api/node.ts';
import type { ErrorEntry, JsonObject } from '../../api/wire.ts';
import { adminCommand } from '../../api/action.ts';
import type { DemoClock } from '../clock.ts';
import { InternalFailure, Refusal, type UploadedFile } from '../handling.ts';
import type { Random } from '../random.ts';
import { ActionRun } from './actionRun.ts';
import { argumentProblems } from './arguments.ts';
import type { ActionCall, NodeAction, NodeWorld } from './definition.ts';
import { describeStatus } from './status.ts';

/** What nodes of one kind have in common. */
export interface NodeKind {
  readonly moduleName: string;
  readonly moduleVersion: string;
  readonly description: string;
  readonly nodeType: string;
  /** The commands it knows besides lock, unlock, reset and shutdown. */
  readonly commands: readonly string[];
  readonly actions: readonly NodeAction[];
  readonly config: JsonObject;
  /** Its state at the start. */
  readonly state: JsonObject;
  readonly intrinsicLocations?: NodeInfo['intrinsic_locations'];
  readonly locationTemplates?: NodeInfo['location_representation_templates'];
}

export interface NodeParts {
  readonly name: string;
  readonly kind: NodeKind;
  readonly clock: DemoClock;
  readonly random: Random;
  readonly world: NodeWorld;
  /** Its address, which is known once its port is. */
  readonly url: () => string;
}

type Flag = 'paused' | 'locked' | 'stopped' | 'errored' | 'initializing';

export class DemoNode {
  readonly name: string;
  readonly id: string;
  readonly kind: NodeKind;
  readonly state: JsonObject;
  readonly config: JsonObject;
  /** Whether it answers; the fault control and the command `shutdown` change it. */
  reachable = true;
  /** Called when it ends itself, so that its port is closed too. */
  onShutdown: (() => void) | null = null;
  /** Since when an exception of one of its actions blocks it, in milliseconds. */
  brokenSince: number | null = null;
  readonly #parts: NodeParts;
  readonly #flags: Record<Flag, boolean> = {
    paused: false,
    locked: false,
    stopped: false,
    errored: false,
    initializing: false,
  };
  readonly #errors: ErrorEntry[] = [];
  readonly #runs = new Map<string, ActionRun>();
  readonly #log: { id: string; time: string; text: string }[] = [];

  constructor(parts: NodeParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.kind = parts.kind;
    this.id = parts.random.ulid();
    this.state = { ...parts.kind.state };
    this.config = { ...parts.kind.config };
  }

  get url(): string {
    return this.#parts.url();
  }

  status(): NodeStatus {
    const running = [...this.#runs.values()].filter((run) => run.status === 'running').map((run) => run.id);
    const facts = { ...this.#flags, busy: running.length > 0, disconnected: false, waiting_for_config: [] };
    return {
      busy: facts.busy,
      running_actions: running,
      paused: facts.paused,
      locked: facts.locked,
      stopped: facts.stopped,
      errored: facts.errored,
      disconnected: false,
      errors: this.#errors.map((error) => ({ ...error })),
      initializing: facts.initializing,
      waiting_for_config: [],
      config_values: {},
      ...describeStatus(facts),
    };
  }

  info(): NodeInfo {
    const { kind } = this;
    return {
      node_name: this.name,
      node_id: this.id,
      node_description: kind.description,
      node_type: kind.nodeType,
      module_name: kind.moduleName,
      module_version: kind.moduleVersion,
      capabilities: {
        get_info: true,
        get_state: true,
        get_status: true,
        send_action: true,
        get_action_status: true,
        get_action_result: true,
        get_action_history: true,
        action_files: true,
        send_admin_commands: true,
        set_config: true,
        get_resources: false,
        get_log: true,
        admin_commands: this.commands(),
      },
      node_url: this.url,
      actions: Object.fromEntries(kind.actions.map(({ definition }) => [definition.name, definition])),
      config: {
        status_update_interval: 2,
        state_update_interval: 2,
        node_name: this.name,
        node_url: this.url,
        ...this.config,
      },
      config_schema: {
        title: `${kind.moduleName}_config`,
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(this.config).map(([key, value]) => [key, { default: value, title: key }]),
        ),
      },
      intrinsic_locations: kind.intrinsicLocations ?? [],
      location_representation_templates: kind.locationTemplates ?? [],
    };
  }

  /** The commands it implements, sorted as its capabilities list them. */
  commands(): string[] {
    return [...new Set(['lock', 'unlock', 'reset', 'shutdown', ...this.kind.commands])].toSorted();
  }

  log(): Record<string, unknown> {
    const line = (entry: { id: string; time: string; text: string }) => ({
      event_id: entry.id,
      event_type: 'log_info',
      log_level: 20,
      event_timestamp: entry.time,
      source: { node_id: this.id },
      event_data: entry.text,
    });
    return Object.fromEntries(this.#log.map((entry) => [entry.id, line(entry)]));
  }

  /** Only what the node has can be set: an unknown key is an exception in MADSci. */
  setConfig(values: JsonObject): { success: true } {
    for (const key of Object.keys(values)) {
      if (!Object.hasOwn(this.config, key)) throw new InternalFailure(`unknown configuration ${key}`);
    }
    Object.assign(this.config, values);
    return { success: true };
  }

  command(command: string): AdminCommandAnswer {
    if (!adminCommand.words.some((word) => word === command)) {
      const msg = `Input should be ${adminCommand.words.map((word) => `'${word}'`).join(', ')}`;
      throw new Refusal(422, [{ type: 'enum', loc: ['path', 'admin_command'], msg, input: command }]);
    }
    if (!this.commands().includes(command)) {
      const message = `Admin command ${command} is not implemented by this node`;
      return { success: false, errors: [this.#error(message, 'AdminCommandNotImplemented')], data: null };
    }
    this.#say(`Received admin command: ${command}`);
    return { success: true, errors: [], data: this.#obey(command) };
  }

  #obey(command: string): unknown {
    const running = [...this.#runs.values()].filter((run) => run.status === 'running');
    switch (command) {
      case 'pause':
        this.#flags.paused = true;
        for (const run of running) run.hold();
        break;
      case 'resume':
        this.#flags.paused = false;
        for (const run of running) run.goOn();
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
        // The list of errors stays: it is history.
        for (const run of running) run.cancel();
        this.brokenSince = null;
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
  breakDown(message: string, type: string): ErrorEntry {
    const error = this.#error(message, type);
    this.#flags.errored = true;
    this.brokenSince = this.#parts.clock.now();
    this.#errors.push(error);
    this.#say(`${type}: ${message}`);
    return error;
  }

  create(name: string, args: JsonObject): { action_id: string } {
    const action = this.#action(name);
    const problems = argumentProblems(action.definition, args);
    if (problems.length > 0) throw new Refusal(422, problems);
    const id = this.#parts.random.ulid();
    const { clock, random, world } = this.#parts;
    const call: ActionCall = { args, files: {}, state: this.state, config: this.config, clock, random, world };
    const run = new ActionRun(id, action, call, {
      error: (message, type) => this.#error(message, type),
      crash: (message, type) => this.breakDown(message, type),
    });
    this.#runs.set(id, run);
    return { action_id: id };
  }

  upload(name: string, id: string, argument: string, files: readonly UploadedFile[]): JsonObject {
    this.#action(name);
    const run = this.#runs.get(id);
    if (run === undefined) throw new Refusal(404, `Action ${id} not found`);
    run.addFiles(argument, files);
    return { status: 'uploaded', file_arg: argument, ...(files.length > 1 ? { file_count: files.length } : {}) };
  }

  start(name: string, id: string): ActionResult {
    this.#action(name);
    const run = this.#runs.get(id);
    if (run === undefined) return this.result(id);
    const status = this.status();
    if (status.ready) {
      this.#say(`Starting action ${name}`);
      run.start();
    } else if (status.busy) {
      // Two starts that collide leave a failure without a reason.
      run.refuse('failed', []);
    } else {
      const why = `Node is not ready: ${status.description ?? ''}`;
      run.refuse('not_ready', [this.#error(why, 'NodeNotReady')]);
    }
    return run.result();
  }

  result(id: string): ActionResult {
    const run = this.#runs.get(id);
    if (run !== undefined) return run.result();
    return {
      action_id: id,
      status: 'unknown',
      errors: [this.#error(`Action history with id '${id}' not found`, 'ActionHistoryNotFound')],
      json_result: null,
      files: null,
      datapoints: {},
      history_created_at: this.#parts.clock.zoned(),
    };
  }

  files(id: string): Readonly<Record<string, UploadedFile>> {
    return this.#runs.get(id)?.files() ?? {};
  }

  history(id: string | null): Record<string, readonly ActionResult[]> {
    const all = Object.fromEntries([...this.#runs].map(([key, run]) => [key, run.history]));
    if (id === null) return all;
    return { [id]: all[id] ?? [] };
  }

  #action(name: string): NodeAction {
    const action = this.kind.actions.find(({ definition }) => definition.name === name);
    if (action === undefined) throw new Refusal(404, `Action ${name} not found`);
    return action;
  }

  #error(message: string, type: string): ErrorEntry {
    return { message, logged_at: this.#parts.clock.naive(), error_type: type };
  }

  #say(text: string): void {
    this.#log.push({ id: this.#parts.random.ulid(), time: this.#parts.clock.naive(), text });
    if (this.#log.length > 200) this.#log.shift();
  }
}
