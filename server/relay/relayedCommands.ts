/**
 * Records what the relay has passed on in the lab's event log, with the user and the address of its sender. The dashboard
 * records its own commands: such a record names what was relayed for it, and then nothing is recorded twice. Commands
 * without such a record, as those of programs, are recorded here.
 */
import { identifyClient } from '../http/callers/client.ts';
import type { Request } from 'express';
import { hostname } from 'node:os';
import { relayFailureHeader, type RelayFailure } from '../../api/client/relayFailure.ts';
import { commandName, commandSource, type CommandFacts } from '../../api/commandRecord.ts';
import { managerTitle } from '../../api/managers.ts';
import { sameJson } from '../../api/sameJson.ts';
import { callerKey, type Sender } from '../access/sender.ts';
import type { CommandSender } from '../commandLog/commandLog.ts';
import { cleanText } from '../logging/text.ts';
import { isJsonObject } from '../net/foreignJson.ts';
import { isLoopbackAddress } from '../net/peer.ts';
import { parseAdminCommand, type RelayRoute } from './route.ts';

/** After this time without a further command or a record of its page, a sender's commands are recorded here, in ms. */
const recordAfterMs = 15_000;
/** The commands of a sender wait at most this long, in ms, and are at most so many: a program may never pause. */
const maxWaitMs = 10 * 60_000;
const maxPending = 2000;
/** The maximum number of commands in a record, besides the first one of each kind; further ones are counted. */
const maxListed = 50;

/** Adds a record to the lab's event log. @returns the ID of its event */
export type RecordRelayed = (facts: CommandFacts, description: string, sender: CommandSender) => string;

interface PassedCommand {
  readonly route: RelayRoute;
  readonly method: string;
  /** ms since the epoch */
  readonly sentAt: number;
  readonly endedAt: number;
  /** `null`: the client disconnected before the response. */
  readonly status: number | null;
  /** `false`: the manager accepted no connection. */
  readonly wasSent: boolean;
}

/** The record of a page as it is sent to the event manager. */
interface CompletedRecord {
  readonly event: unknown;
  /**
   * The ID under which the event manager is to be read, and what to do with the event that it returns: if that is this
   * record, what it names is not recorded again. `null` if nothing was relayed for it.
   */
  readonly stored: { readonly id: string; readonly confirm: (storedEvent: unknown) => void } | null;
}

/** The parts of a record that only the relay writes. */
const verifiedKeys = ['component_name', 'machine', 'user', 'relayed', 'relayed_at'] as const;

interface PendingCommands {
  readonly sender: CommandSender;
  commands: PassedCommand[];
  timer: NodeJS.Timeout;
}

export function getCommandSender(request: Request, { caller, expired }: Sender): CommandSender {
  const { address } = identifyClient(request);
  const user = caller ?? expired;
  return {
    machine: isLoopbackAddress(address) ? hostname() : address,
    user: user === null || user.via === 'loopback' || user.via === 'app' ? null : user.name,
  };
}

/** Whether the request received a response without being sent to the manager, which accepted no connection. */
export function isUnsent({ res }: Request): boolean {
  return res?.getHeader(relayFailureHeader) === ('unreachable' satisfies RelayFailure);
}

export class RelayedCommands {
  readonly #record: RecordRelayed;
  readonly #afterMs: number;
  readonly #pending = new Map<string, PendingCommands>();
  #isStopped = false;

  constructor(record: RecordRelayed, afterMs = recordAfterMs) {
    this.#record = record;
    this.#afterMs = afterMs;
  }

  /** Notes a command that was passed on. */
  add(request: Request, from: Sender, command: PassedCommand): void {
    const key = senderKey(request, from);
    const waiting = this.#pending.get(key);
    clearTimeout(waiting?.timer);
    const timer = setTimeout(() => this.#flush(key), this.#afterMs);
    const commands = [...(waiting?.commands ?? []), command];
    this.#pending.set(key, { sender: getCommandSender(request, from), commands, timer });
    const [first = command] = commands;
    const isOverdue = commands.length >= maxPending || command.endedAt - first.sentAt > maxWaitMs;
    if (this.#isStopped || isOverdue) this.#flush(key);
  }

  /**
   * The event that a page stores, with its verified sender and what was relayed for it, if it is the record of a command;
   * `null` for any other event.
   */
  completeRecord(request: Request, from: Sender, event: unknown): CompletedRecord | null {
    const data = isJsonObject(event) ? event['event_data'] : null;
    if (!isJsonObject(event) || !isJsonObject(data) || data['component_name'] !== commandSource) return null;
    const { machine, user } = getCommandSender(request, from);
    const key = senderKey(request, from);
    const commands = this.#pending.get(key)?.commands ?? [];
    const [first] = commands;
    const relayed = first && { relayed: listCommands(commands), relayed_at: new Date(first.sentAt).toISOString() };
    const { user: claimedUser, relayed: _claimed, relayed_at: _claimedAt, ...claims } = data;
    const isClaimTrue = (claimedUser ?? null) === user;
    const message = isClaimTrue ? data['message'] : `${String(data['message'])}; sent by ${user ?? machine}`;
    const completed = { ...claims, message, machine, ...(user !== null && { user }), ...relayed };
    const { _id: id } = event;
    const confirm = (storedEvent: unknown): void => {
      if (isSameRecord(storedEvent, completed)) this.#remove(key, commands);
    };
    return {
      event: { ...event, event_data: completed },
      stored: first !== undefined && typeof id === 'string' ? { id, confirm } : null,
    };
  }

  /** Records at once what waits for the record of a page, and from now on every command. */
  stop(): void {
    this.#isStopped = true;
    for (const key of this.#pending.keys()) this.#flush(key);
  }

  /** Commands that were passed on while the record was stored still wait for another one. */
  #remove(key: string, recorded: readonly PassedCommand[]): void {
    const waiting = this.#pending.get(key);
    if (waiting === undefined) return;
    waiting.commands = waiting.commands.filter((command) => !recorded.includes(command));
    if (waiting.commands.length > 0) return;
    clearTimeout(waiting.timer);
    this.#pending.delete(key);
  }

  #flush(key: string): void {
    const waiting = this.#pending.get(key);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    this.#pending.delete(key);
    const groups = new Map<string, PassedCommand[]>();
    for (const command of waiting.commands) {
      const group = `${command.route.manager} ${getCommandName(command.route)}`;
      groups.set(group, [...(groups.get(group) ?? []), command]);
    }
    for (const commands of groups.values()) {
      const [first] = commands;
      if (first !== undefined)
        this.#record(commandFacts(first, commands), describeCommand(first.route), waiting.sender);
    }
  }
}

/** The browser of a user, or a program: two of them must not get each other's records. */
function senderKey(request: Request, { caller, expired }: Sender): string {
  return `${callerKey(caller ?? expired) ?? ''} ${identifyClient(request).address}`;
}

/** The event manager reports an event as stored, and ignores it, if it has another one of the same ID. */
function isSameRecord(event: unknown, sent: Readonly<Record<string, unknown>>): boolean {
  const data = isJsonObject(event) ? event['event_data'] : null;
  return isJsonObject(data) && verifiedKeys.every((key) => sameJson(data[key], sent[key]));
}

function getCommandName(route: RelayRoute): string {
  return commandName(parseAdminCommand(route)?.command ?? route.endpoint.purpose);
}

/** `Relayed: store the template (Location Manager)`, `Relayed: pause (Workcell Manager)`. */
function describeCommand(route: RelayRoute): string {
  const name = parseAdminCommand(route) === null ? route.endpoint.purpose : getCommandName(route);
  return `Relayed: ${name} (${managerTitle(route.manager)})`;
}

function commandFacts(first: PassedCommand, commands: readonly PassedCommand[]): CommandFacts {
  const results = commands.map(commandResult);
  const endedAt = Math.max(...commands.map((command) => command.endedAt));
  const node = commands.length === 1 ? (parseAdminCommand(first.route)?.node ?? null) : null;
  return {
    command: getCommandName(first.route),
    target:
      node === null
        ? { kind: 'manager', id: null, name: managerTitle(first.route.manager) }
        : { kind: 'node', id: null, name: cleanText(node) },
    result: results.find((result) => result === 'failed') ?? results.find((result) => result !== 'done') ?? 'done',
    reason: commands.length === 1 ? describePassed(first) : `${commands.length} requests`,
    sent_at: new Date(first.sentAt).toISOString(),
    duration_ms: endedAt - first.sentAt,
    relayed: listCommands(commands),
  };
}

function commandResult({ status, wasSent }: PassedCommand): CommandFacts['result'] {
  if (!wasSent) return 'failed';
  if (status === null || status === 502 || status === 504) return 'unclear';
  return status < 300 ? 'done' : 'failed';
}

function describePassed({ method, route, status, wasSent }: PassedCommand): string {
  const result = status === null ? 'the client left before the answer' : `HTTP ${status}${wasSent ? '' : ', not sent'}`;
  return cleanText(`${method} ${route.manager}${route.path}: ${result}`);
}

/** Many commands of one kind don't hide one of another kind. */
function listCommands(commands: readonly PassedCommand[]): string[] {
  const kinds = new Set<string>();
  const named = commands.filter(({ route }, index) => {
    const kind = `${route.manager} ${getCommandName(route)}`;
    const isFirst = !kinds.has(kind);
    kinds.add(kind);
    return isFirst || index < maxListed;
  });
  const more = commands.length - named.length;
  return [...named.map(describePassed), ...(more > 0 ? [`and ${more} more`] : [])];
}
