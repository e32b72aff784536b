/** One simulated instrument: its status, its commands and the actions that it runs on the demo clock. */
import { adminCommand, type ActionResult, type AdminCommandAnswer } from '../../api/managers/action.ts';
import type { Event } from '../../api/managers/event.ts';
import type { NodeInfo, NodeStatus } from '../../api/managers/node.ts';
import type { ErrorEntry, JsonObject } from '../../api/client/wire.ts';
import type { DemoClock } from '../base/clock.ts';
import type { LogSink } from '../base/parts.ts';
import { InternalFailure, Refusal, type UploadedFile } from '../base/handling.ts';
import type { Random } from '../base/random.ts';
import { ActionRun } from './actionRun.ts';
import { argumentProblems, filledArguments } from './arguments.ts';
import type { ActionCall, NodeAction, NodeKind, NodeWorld } from './definition.ts';
import { NodeLog, nodeInfo } from './info.ts';
import { describeStatus } from './status.ts';

interface NodeParts {
  readonly name: string;
  readonly kind: NodeKind;
  readonly clock: DemoClock;
  readonly random: Random;
  readonly world: NodeWorld;
  /** Its address, which is known once its port is. */
  readonly url: () => string;
  /** The event manager's log; nowhere unless given. */
  readonly eventLog?: LogSink;
}

/** Since when, in milliseconds, and by which action's exception; null where somebody asked for it. */
interface Breakdown {
  readonly since: number;
  readonly actionId: string | null;
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
  /** Why it is in its error state; null where it isn't. */
  broken: Breakdown | null = null;
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
  readonly #log: NodeLog;

  constructor(parts: NodeParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.kind = parts.kind;
    this.id = parts.random.ulid();
    this.state = { ...parts.kind.state };
    this.config = { ...parts.kind.config };
    this.#log = new NodeLog(parts.clock, parts.random);
    this.#log.say('info', `Node started node_name=${parts.name} event_type=node_start`);
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
    return nodeInfo(this);
  }

  /** The commands it implements, sorted as its capabilities list them. */
  commands(): string[] {
    return [...new Set(['lock', 'unlock', 'reset', 'shutdown', ...this.kind.commands])].toSorted();
  }

  log(): Record<string, Event> {
    return this.#log.read(this.id);
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
      const message = `Admin command AdminCommands.${command.toUpperCase()} not implemented by this node`;
      return { success: false, errors: [this.#error(message, 'AdminCommandNotImplemented')], data: null };
    }
    this.#log.say('info', `Received admin command: ${command}`);
    const data = this.#obey(command);
    this.#tellObeyed(command);
    return { success: true, errors: [], data };
  }

  /** MADSci writes of locks alone; of a stop what the node's own program says of it. */
  #tellObeyed(command: string): void {
    const said = { lock: 'Node locked', unlock: 'Node unlocked', safety_stop: 'Safety stop: all motion halted' }[
      command
    ];
    if (said === undefined) return;
    const level = command === 'safety_stop' ? 'warning' : 'info';
    const of = { component: this.name, source: { node_id: this.id }, data: { node_id: this.id } };
    this.#parts.eventLog?.({ ...of, level, message: said, eventType: 'node_status_update' });
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
        this.broken = null;
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
    this.broken = { since: this.#parts.clock.now(), actionId };
    this.#errors.push(error);
    this.#log.say('error', `${type}: ${message}`);
    const of = { component: this.name, source: { node_id: this.id }, data: { error: { ...error } } };
    this.#parts.eventLog?.({ ...of, level: 'error', message: 'Node exception', eventType: 'node_error' });
    return error;
  }

  create(name: string, args: JsonObject): { action_id: string } {
    const action = this.#action(name);
    const problems = argumentProblems(action.definition, args);
    if (problems.length > 0) throw new Refusal(422, problems);
    const id = this.#parts.random.ulid();
    const { clock, random, world } = this.#parts;
    const filled = filledArguments(action.definition, args);
    const call: ActionCall = { args: filled, files: {}, state: this.state, config: this.config, clock, random, world };
    const run = new ActionRun(id, action, call, {
      error: (message, type) => this.#error(message, type),
      crash: (message, type) => this.breakDown(message, type, id),
    });
    this.#runs.set(id, run);
    return { action_id: id };
  }

  /** An action that isn't waiting for its start is an exception in MADSci. */
  upload(name: string, id: string, argument: string, files: readonly UploadedFile[]): JsonObject {
    if (this.#action(name).definition.files?.[argument] === undefined) throw new Refusal(404, 'Not Found');
    const run = this.#runs.get(id);
    if (run === undefined || run.started) throw new InternalFailure(`Action ${id} not found`);
    run.addFiles(argument, files);
    return { status: 'uploaded', file_arg: argument, ...(files.length > 1 ? { file_count: files.length } : {}) };
  }

  /** What was started already, or never made, is a failure that says so; the action itself isn't touched. */
  start(name: string, id: string): ActionResult {
    this.#action(name);
    const run = this.#runs.get(id);
    if (run === undefined || run.started) {
      const errors = [{ message: `Action ${id} not found`, error_type: 'NotFound' }];
      return { action_id: id, status: 'failed', errors, json_result: null, files: null, datapoints: null };
    }
    const status = this.status();
    if (status.ready) {
      this.#log.say('info', `Starting action ${name} action_id=${id}`);
      run.start();
    } else run.refuse(this.#error(`Node is not ready: ${status.description ?? ''}`, 'NodeNotReady'));
    return this.result(id);
  }

  result(id: string): ActionResult {
    return { ...(this.#runs.get(id)?.history.at(-1) ?? this.#unknown(id)) };
  }

  /** The files that an action gave, by label. */
  files(id: string): Readonly<Record<string, UploadedFile>> {
    return this.#runs.get(id)?.files() ?? {};
  }

  /** What was made but not started has no history yet. */
  history(id: string | null): Record<string, readonly ActionResult[]> {
    const started = [...this.#runs].filter(([, run]) => run.started);
    if (id === null) return Object.fromEntries(started.map(([key, run]) => [key, run.history]));
    const found = this.#runs.get(id);
    return { [id]: found?.started === true ? found.history : [this.#unknown(id)] };
  }

  /** A result of nothing has an ID of its own, not the one that was asked for. */
  #unknown(id: string): ActionResult {
    return {
      action_id: this.#parts.random.ulid(),
      status: 'unknown',
      errors: [this.#error(`Action history for action with id '${id}' not found`, 'ActionHistoryNotFound')],
      json_result: null,
      files: null,
      datapoints: null,
      history_created_at: this.#parts.clock.zoned(),
    };
  }

  #action(name: string): NodeAction {
    const action = this.kind.actions.find(({ definition }) => definition.name === name);
    if (action === undefined) throw new Refusal(404, 'Not Found');
    return action;
  }

  #error(message: string, type: string): ErrorEntry {
    return { message, logged_at: this.#parts.clock.naive(), error_type: type };
  }
}
