/**
 * Records relayed commands in the lab's event log, with the user and the address of the sender. A command that a page
 * records itself is not recorded again; instead, its relayed requests are added to the page's record.
 */
import { isObject } from '../../api/client/wire.ts';
import { clock } from '../../api/time/clock.ts';
import { identifyClient } from '../http/callers/client.ts';
import type { Request, Response } from 'express';
import { hostname } from 'node:os';
import { relayFailureHeader, type RelayFailure } from '../../api/client/relayFailure.ts';
import {
  toCommandName,
  commandSource,
  formatSender,
  noteCommand,
  type CommandFields,
} from '../../api/commandRecord.ts';
import { managerTitle } from '../../api/managers.ts';
import { readComponent } from '../../api/managers/eventRecord.ts';
import { sameJson } from '../../api/sameJson.ts';
import { withTimeout } from '../concurrency/boundedWait.ts';
import { callerKey, type Sender } from '../access/sender.ts';
import type { CommandSender } from '../commandLog/commandLog.ts';
import { cleanText } from '../logging/text.ts';
import type { JsonObject } from '../net/foreignJson.ts';
import { isLoopbackAddress } from '../net/peer.ts';
import { parseAdminCommand, type RelayRoute } from './route.ts';

/** The commands of a sender are recorded this time after its last command, in ms, unless its page records them first. */
const recordAfterMs = 15_000;
/** Limits of the waiting time, in ms, and of the waiting commands, because a program may send commands without a pause. */
const maxWaitMs = 10 * 60_000;
const maxPending = 2000;
/** The time for interrupted responses to close, in ms. */
const maxCloseMs = 1000;
/** The maximum number of commands in a record, besides the first one of each kind; further ones are counted. */
const maxListed = 50;

/** Adds a record to the lab's event log. @returns the ID of its event */
type RecordRelayed = (fields: CommandFields, description: string, sender: CommandSender) => string;

interface RelayedCommand {
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
   * The ID by which the stored event is read back, and the callback for that event: if it is this record, its commands
   * are not recorded again. `null` if the record has no relayed commands.
   */
  readonly verification: { readonly id: string; readonly confirm: (storedEvent: unknown) => void } | null;
}

/** The parts of a record that only the relay writes. */
const verifiedKeys = ['component_name', 'machine', 'user', 'relayed', 'relayed_at'] as const;

interface PendingCommands {
  readonly sender: CommandSender;
  commands: RelayedCommand[];
  timer: NodeJS.Timeout;
}

export function getCommandSender(request: Request, { caller, expiredCaller }: Sender): CommandSender {
  const { address } = identifyClient(request);
  const user = caller ?? expiredCaller;
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
  /** The responses that are not closed. */
  readonly #open = new Set<Promise<void>>();
  #isStopped = false;

  constructor(record: RecordRelayed, afterMs = recordAfterMs) {
    this.#record = record;
    this.#afterMs = afterMs;
  }

  /** Adds a relayed command, which is recorded later unless its page records it. */
  add(request: Request, sender: Sender, command: RelayedCommand): void {
    const key = senderKey(request, sender);
    const waiting = this.#pending.get(key);
    clock.clearTimeout(waiting?.timer);
    const timer = clock.setTimeout(() => this.#flush(key), this.#afterMs);
    const commands = [...(waiting?.commands ?? []), command];
    this.#pending.set(key, { sender: getCommandSender(request, sender), commands, timer });
    const [first = command] = commands;
    const isOverdue = commands.length >= maxPending || command.endedAt - first.sentAt > maxWaitMs;
    if (this.#isStopped || isOverdue) this.#flush(key);
  }

  /**
   * Completes an event that a page stores, if lists would show it as the record of a command, with its verified sender and
   * the relayed requests.
   * @returns `null` for any other event
   */
  completeRecord(request: Request, sender: Sender, event: unknown): CompletedRecord | null {
    const data = isObject(event) ? event['event_data'] : null;
    if (!isObject(event) || !isObject(data) || readComponent(data) !== commandSource) return null;
    const { machine, user } = getCommandSender(request, sender);
    const key = senderKey(request, sender);
    const commands = this.#pending.get(key)?.commands ?? [];
    const [first] = commands;
    const relayed = first && { relayed: listCommands(commands), relayed_at: new Date(first.sentAt).toISOString() };
    const { user: claimedUser, relayed: _claimed, relayed_at: _claimedAt, ...claims } = data;
    const text = typeof data['message'] === 'string' ? data['message'] : '';
    const namesUser = user === null || data['command'] === noteCommand || namesOnly(user, text, data);
    const isClaimTrue = namesUser && (claimedUser ?? null) === user && data['component_name'] === commandSource;
    const message = isClaimTrue ? data['message'] : `${text}; sent by ${user ?? machine}`;
    const completed = {
      ...claims,
      component_name: commandSource,
      message,
      machine,
      ...(user !== null && { user }),
      ...relayed,
    };
    const { _id: id } = event;
    const confirm = (storedEvent: unknown): void => {
      if (isSameRecord(storedEvent, completed)) this.#remove(key, commands);
    };
    return {
      event: { ...event, event_data: completed },
      verification: first !== undefined && typeof id === 'string' ? { id, confirm } : null,
    };
  }

  /** Records all waiting commands now, and those whose requests the end of the service has just interrupted. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const key of this.#pending.keys()) this.#flush(key);
    await withTimeout(Promise.all(this.#open), maxCloseMs, () => undefined);
  }

  /** Adds a command when its response closes. */
  addAtClose(response: Response, add: () => void): void {
    const closed = new Promise<void>((resolve) => {
      response.once('close', () => {
        add();
        resolve();
      });
    });
    this.#open.add(closed);
    void closed.then(() => this.#open.delete(closed));
  }

  /** Removes recorded commands; those that were relayed while the record was stored continue to wait. */
  #remove(key: string, recorded: readonly RelayedCommand[]): void {
    const waiting = this.#pending.get(key);
    if (waiting === undefined) return;
    waiting.commands = waiting.commands.filter((command) => !recorded.includes(command));
    if (waiting.commands.length > 0) return;
    clock.clearTimeout(waiting.timer);
    this.#pending.delete(key);
  }

  #flush(key: string): void {
    const waiting = this.#pending.get(key);
    if (waiting === undefined) return;
    clock.clearTimeout(waiting.timer);
    this.#pending.delete(key);
    const groups = new Map<string, RelayedCommand[]>();
    for (const command of waiting.commands) {
      const group = `${command.route.manager} ${getCommandName(command.route)}`;
      groups.set(group, [...(groups.get(group) ?? []), command]);
    }
    for (const commands of groups.values()) {
      const [first] = commands;
      if (first !== undefined)
        this.#record(commandFields(first, commands), describeCommand(first.route), waiting.sender);
    }
  }
}

/** Identifies a user's browser or a program, because a record must only contain the commands of its own sender. */
function senderKey(request: Request, { caller, expiredCaller }: Sender): string {
  return `${callerKey(caller ?? expiredCaller) ?? ''} ${identifyClient(request).address}`;
}

/** Whether the message is like those of `createRecord`: its only part in parentheses names this user as the sender. */
function namesOnly(user: string, text: string, { machine, application }: JsonObject): boolean {
  const parts = [formatSender({ machine: typeof machine === 'string' ? machine : null, user }), application];
  const sender = parts.filter((part) => typeof part === 'string' && part !== '').join(', ');
  return !/[()]/.test(sender) && text.includes(`(${sender})`) && !/[()]/.test(text.replace(`(${sender})`, ''));
}

/** Whether the stored event is the one that was sent: the manager ignores an event whose ID it has, but reports success. */
function isSameRecord(event: unknown, sent: Readonly<Record<string, unknown>>): boolean {
  const data = isObject(event) ? event['event_data'] : null;
  return isObject(data) && verifiedKeys.every((key) => sameJson(data[key], sent[key]));
}

function getCommandName(route: RelayRoute): string {
  return toCommandName(parseAdminCommand(route)?.command ?? route.endpoint.purpose);
}

/** `Relayed: store the template (Location Manager)`, `Relayed: pause (Workcell Manager)`. */
function describeCommand(route: RelayRoute): string {
  const name = parseAdminCommand(route) === null ? route.endpoint.purpose : getCommandName(route);
  return `Relayed: ${name} (${managerTitle(route.manager)})`;
}

function commandFields(first: RelayedCommand, commands: readonly RelayedCommand[]): CommandFields {
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
    reason: commands.length === 1 ? describeOutcome(first) : `${commands.length} requests`,
    sent_at: new Date(first.sentAt).toISOString(),
    duration_ms: endedAt - first.sentAt,
    relayed: listCommands(commands),
  };
}

function commandResult({ status, wasSent }: RelayedCommand): CommandFields['result'] {
  if (!wasSent) return 'failed';
  if (status === null || status === 502 || status === 504) return 'unclear';
  return status < 300 ? 'done' : 'failed';
}

function describeOutcome({ method, route, status, wasSent }: RelayedCommand): string {
  const result =
    status === null ? 'the client disconnected before the response' : `HTTP ${status}${wasSent ? '' : ', not sent'}`;
  return cleanText(`${method} ${route.manager}${route.path}: ${result}`);
}

/** Lists the first command of each kind, and others up to the limit, so that many of one kind hide no other kind. */
function listCommands(commands: readonly RelayedCommand[]): string[] {
  const kinds = new Set<string>();
  const listed = commands.filter(({ route }, index) => {
    const kind = `${route.manager} ${getCommandName(route)}`;
    const isFirst = !kinds.has(kind);
    kinds.add(kind);
    return isFirst || index < maxListed;
  });
  const omittedCount = commands.length - listed.length;
  return [...listed.map(describeOutcome), ...(omittedCount > 0 ? [`and ${omittedCount} more`] : [])];
}
