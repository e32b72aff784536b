/**
 * Records what the relay has passed on in the lab's event log, with the user and the address of its sender. The dashboard
 * records its own commands: such a record names what was relayed for it, and then nothing is recorded twice. Commands
 * without such a record, as those of programs, are recorded here.
 */
import { clientOf } from '../http/callers/client.ts';
import type { Request } from 'express';
import { hostname } from 'node:os';
import { commandName, commandSource, type CommandFacts } from '../../api/commandRecord.ts';
import { managerTitle } from '../../api/managers.ts';
import { callerKey, type Sender } from '../access/sender.ts';
import type { CommandSender } from '../commandLog/commandLog.ts';
import { cleanText } from '../logging/text.ts';
import { isJsonObject } from '../net/foreignJson.ts';
import { isLoopbackAddress } from '../net/peer.ts';
import type { RelayRoute } from './route.ts';

/** After this time without a further command or a record of its page, a sender's commands are recorded here, in ms. */
const recordAfterMs = 15_000;
/** The commands of a sender wait at most this long, in ms, and are at most so many: a program may never pause. */
const maxWaitMs = 10 * 60_000;
const maxWaiting = 2000;
/** The maximum number of commands in a record; further ones are counted. */
const maxListed = 50;

/** Adds a record to the lab's event log. @returns the ID of its event */
export type RecordRelayed = (facts: CommandFacts, what: string, sender: CommandSender) => string;

interface Passed {
  readonly route: RelayRoute;
  readonly method: string;
  /** ms since the epoch */
  readonly sentAt: number;
  readonly endedAt: number;
  /** `null`: the client left before the answer. */
  readonly status: number | null;
}

interface Waiting {
  readonly sender: CommandSender;
  commands: Passed[];
  timer: NodeJS.Timeout;
}

export function commandSenderOf(request: Request, { caller, expired }: Sender): CommandSender {
  const { address } = clientOf(request);
  const user = caller ?? expired;
  return {
    machine: isLoopbackAddress(address) ? hostname() : address,
    user: user === null || user.via === 'loopback' || user.via === 'app' ? null : user.name,
  };
}

export class RelayedCommands {
  readonly #record: RecordRelayed;
  readonly #afterMs: number;
  readonly #waiting = new Map<string, Waiting>();

  constructor(record: RecordRelayed, afterMs = recordAfterMs) {
    this.#record = record;
    this.#afterMs = afterMs;
  }

  /** Notes a command that was passed on. */
  passed(request: Request, from: Sender, command: Passed): void {
    const key = keyOf(request, from);
    const waiting = this.#waiting.get(key);
    clearTimeout(waiting?.timer);
    const timer = setTimeout(() => this.#flush(key), this.#afterMs);
    const commands = [...(waiting?.commands ?? []), command];
    this.#waiting.set(key, { sender: commandSenderOf(request, from), commands, timer });
    const [first = command] = commands;
    if (commands.length >= maxWaiting || command.endedAt - first.sentAt > maxWaitMs) this.#flush(key);
  }

  /**
   * The event that a page stores, with its verified sender and what was relayed for it, if it is the record of a command;
   * `null` for any other event.
   */
  completed(request: Request, from: Sender, event: unknown): unknown {
    const data = isJsonObject(event) ? event['event_data'] : null;
    if (!isJsonObject(event) || !isJsonObject(data) || data['component_name'] !== commandSource) return null;
    const { machine, user } = commandSenderOf(request, from);
    const waiting = this.#waiting.get(keyOf(request, from));
    const relayed = waiting === undefined ? {} : { relayed: listed(waiting.commands) };
    const { user: claimed, ...claims } = data;
    const isClaimTrue = (claimed ?? null) === user;
    const message = isClaimTrue ? data['message'] : `${String(data['message'])}; sent by ${user ?? machine}`;
    return { ...event, event_data: { ...claims, message, machine, ...(user !== null && { user }), ...relayed } };
  }

  /** Notes that the event manager has stored the record of a page. */
  recorded(request: Request, from: Sender): void {
    const key = keyOf(request, from);
    clearTimeout(this.#waiting.get(key)?.timer);
    this.#waiting.delete(key);
  }

  /** Records at once what waits for the record of a page. */
  stop(): void {
    for (const key of this.#waiting.keys()) this.#flush(key);
  }

  #flush(key: string): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(key);
    const groups = new Map<string, Passed[]>();
    for (const command of waiting.commands) {
      const group = `${command.route.manager} ${commandOf(command.route)}`;
      groups.set(group, [...(groups.get(group) ?? []), command]);
    }
    for (const commands of groups.values()) {
      const [first] = commands;
      if (first !== undefined) this.#record(factsOf(first, commands), whatOf(first.route), waiting.sender);
    }
  }
}

/** The browser of a user, or a program: two of them must not get each other's records. */
function keyOf(request: Request, { caller, expired }: Sender): string {
  return `${callerKey(caller ?? expired) ?? ''} ${clientOf(request).address}`;
}

const isNodeCommand = ({ manager, path }: RelayRoute): boolean => manager === 'workcell' && path.startsWith('/admin/');

function commandOf(route: RelayRoute): string {
  const [, , admin = ''] = route.path.split('/');
  return commandName(isNodeCommand(route) ? admin : route.endpoint.purpose);
}

/** `Relayed: store the template (Location Manager)`, `Relayed: pause (Workcell Manager)`. */
function whatOf(route: RelayRoute): string {
  const name = isNodeCommand(route) ? commandOf(route) : route.endpoint.purpose;
  return `Relayed: ${name} (${managerTitle(route.manager)})`;
}

function factsOf(first: Passed, commands: readonly Passed[]): CommandFacts {
  const results = commands.map(resultOf);
  const endedAt = Math.max(...commands.map((each) => each.endedAt));
  const [, , , node] = first.route.path.split('/');
  const isOfNode = isNodeCommand(first.route) && node !== undefined && commands.length === 1;
  return {
    command: commandOf(first.route),
    target: isOfNode
      ? { kind: 'node', id: null, name: cleanText(decodeURIComponent(node)) }
      : { kind: 'manager', id: null, name: managerTitle(first.route.manager) },
    result: results.find((result) => result === 'failed') ?? results.find((result) => result !== 'done') ?? 'done',
    reason: commands.length === 1 ? textOf(first) : `${commands.length} requests`,
    sent_at: new Date(first.sentAt).toISOString(),
    duration_ms: endedAt - first.sentAt,
    relayed: listed(commands),
  };
}

function resultOf({ status }: Passed): CommandFacts['result'] {
  if (status === null || status === 502 || status === 504) return 'unclear';
  return status < 300 ? 'done' : 'failed';
}

function textOf({ method, route, status }: Passed): string {
  const result = status === null ? 'the client left before the answer' : `HTTP ${status}`;
  return cleanText(`${method} ${route.manager}${route.path}: ${result}`);
}

function listed(commands: readonly Passed[]): string[] {
  const more = commands.length - maxListed;
  return [...commands.slice(0, maxListed).map(textOf), ...(more > 0 ? [`and ${more} more`] : [])];
}
