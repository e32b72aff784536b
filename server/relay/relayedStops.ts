/**
 * Records the safety stops of senders that cannot record them themselves, because the relay accepts no other command
 * from them. As for a stop by the dashboard, one record contains the press and another one the results of all nodes.
 */
import type { Request } from 'express';
import { clock } from '../../api/time/clock.ts';
import { adminCommandResponse, type AdminCommand } from '../../api/managers/action.ts';
import { isMoreCertain, sendingOutcome, type StopOutcome } from '../../api/safetyStop/safetyStop.ts';
import { replaceRow, type StopRow } from '../../api/safetyStop/stopReport.ts';
import { StopRecord } from '../../api/safetyStop/stopRecord.ts';
import type { Sender } from '../access/sender.ts';
import type { CommandSender } from '../commandLog/commandLog.ts';
import { addressGroup } from '../net/peer.ts';
import { getCommandSender, isUnsent, type RecordRelayed } from './relayedCommands.ts';
import { parseAdminCommand, type RelayRoute } from './route.ts';
import { hasStopRight } from './stopRight.ts';

/** Commands to several nodes arrive within this time after a press, in ms. */
const pressDelayMs = 300;
/** The results are recorded after this time, and again after `quietMs` without a command or a response, in ms. */
const firstResultDelayMs = 3000;
const quietMs = 8000;

/** A command that arrives later than this after the press, in ms, starts another stop. A page repeats a stop for 20 s. */
const maxStopMs = 40_000;
const maxNodes = 1000;
/** The maximum number of concurrent stops: those of operators and, separately, those permitted only by `LAB_REMOTE_STOP=everyone`. */
const maxStops = 32;
/** The machine in the records of stops above this limit, which are recorded as one stop of each user. */
const severalMachines = 'several machines';

export interface RelayedStopsParts {
  readonly record: RecordRelayed;
  /** The commands that were in effect at a node when it was last read. */
  readonly effectsBefore: (node: string) => readonly AdminCommand[];
  /** Address of the workcell manager. */
  readonly workcell: () => string;
}

type CommandOutcomes = ReadonlyMap<AdminCommand, StopOutcome>;

interface RecordedStop {
  readonly record: StopRecord;
  readonly hasRight: boolean;
  readonly pressedAt: number;
  rows: readonly StopRow[];
  /** The outcome of each command by node. */
  readonly outcomes: Map<string, CommandOutcomes>;
  stopId: string | null;
  end: NodeJS.Timeout;
  readonly timers: readonly NodeJS.Timeout[];
}

export class RelayedStops {
  readonly #parts: RelayedStopsParts;
  readonly #stops = new Map<string, RecordedStop>();

  constructor(parts: RelayedStopsParts) {
    this.#parts = parts;
  }

  /** Records a command that is sent. @returns a function that records its response */
  recordSent(request: Request, from: Sender, route: RelayRoute): (status: number, body: Buffer | null) => void {
    const hasRight = hasStopRight(from);
    const { key, sender } = this.#findKey(getCommandSender(request, from), hasRight);
    const previousStop = this.#stops.get(key);
    if (previousStop !== undefined && clock.now() - previousStop.pressedAt > maxStopMs) this.#endStop(key);
    const recordedStop = this.#stops.get(key) ?? this.#startStop(key, sender, hasRight);
    const adminCommand = parseAdminCommand(route);
    const command = adminCommand?.command as AdminCommand;
    const name = adminCommand?.node ?? '';
    this.#updateRow(key, recordedStop, name, command, sendingOutcome);
    return (status, body) => {
      this.#updateRow(key, recordedStop, name, command, readOutcome(command, isUnsent(request) ? null : status, body));
    };
  }

  /**
   * The key of a sender's stop. A host may use every address of its group, so these share a key; above the maximum number
   * of stops, all machines share one.
   */
  #findKey(sender: CommandSender, hasRight: boolean): { readonly key: string; readonly sender: CommandSender } {
    const createKey = (machine: string): string => `${hasRight} ${sender.user ?? ''} ${machine}`;
    const key = createKey(addressGroup(sender.machine));
    const count = [...this.#stops.values()].filter((recordedStop) => recordedStop.hasRight === hasRight).length;
    if (this.#stops.has(key) || count < maxStops) return { key, sender };
    // The names of users are verified, so their number is limited.
    return { key: createKey(severalMachines), sender: { ...sender, machine: severalMachines } };
  }

  /** Records the last results. */
  stop(): void {
    for (const key of this.#stops.keys()) this.#endStop(key);
  }

  #startStop(key: string, sender: CommandSender, hasRight: boolean): RecordedStop {
    const record = new StopRecord({
      record: (fields, description) => this.#parts.record(fields, description, sender),
      now: clock.now,
    });
    const recordedStop: RecordedStop = {
      record,
      hasRight,
      pressedAt: clock.now(),
      rows: [],
      outcomes: new Map(),
      stopId: null,
      end: clock.setTimeout(() => this.#endStop(key), quietMs),
      timers: [
        clock.setTimeout(() => recordPress(recordedStop), pressDelayMs),
        clock.setTimeout(() => recordResult(recordedStop), firstResultDelayMs),
      ],
    };
    this.#stops.set(key, recordedStop);
    return recordedStop;
  }

  #updateRow(key: string, recordedStop: RecordedStop, name: string, command: AdminCommand, outcome: StopOutcome): void {
    const previousRow = recordedStop.rows.find((row) => row.name === name);
    if (previousRow === undefined && recordedStop.rows.length >= maxNodes) return;
    const outcomes = withOutcome(recordedStop.outcomes.get(name) ?? new Map(), command, outcome);
    recordedStop.outcomes.set(name, outcomes);
    recordedStop.rows = replaceRow(recordedStop.rows, {
      name,
      workcell: this.#parts.workcell(),
      url: null,
      commands: null,
      outcome: combineOutcomes(outcomes),
      attempt: 1,
      previousCommands: previousRow?.previousCommands ?? this.#parts.effectsBefore(name),
      earlierEffects: [],
      releasedAt: null,
      releaseFailure: '',
    });
    if (this.#stops.get(key) !== recordedStop) return recordResult(recordedStop);
    clock.clearTimeout(recordedStop.end);
    recordedStop.end = clock.setTimeout(() => this.#endStop(key), quietMs);
  }

  #endStop(key: string): void {
    const recordedStop = this.#stops.get(key);
    if (recordedStop === undefined) return;
    this.#stops.delete(key);
    for (const timer of [recordedStop.end, ...recordedStop.timers]) clock.clearTimeout(timer);
    recordPress(recordedStop);
    recordResult(recordedStop);
  }
}

function recordPress(recordedStop: RecordedStop): void {
  recordedStop.stopId ??= recordedStop.record.recordPress(recordedStop.rows, recordedStop.pressedAt);
}

function recordResult({ record, rows, stopId, pressedAt }: RecordedStop): void {
  if (stopId !== null) record.recordResult(stopId, rows, pressedAt);
}

/** Adds the outcome of a command. If the command was repeated, the more certain outcome remains. */
function withOutcome(outcomes: CommandOutcomes, command: AdminCommand, outcome: StopOutcome): CommandOutcomes {
  const before = outcomes.get(command);
  return before !== undefined && !isMoreCertain(outcome, before)
    ? outcomes
    : new Map([...outcomes, [command, outcome]]);
}

/** The outcome of all commands to a node. If it does not support the safety stop, the fallback commands count instead. */
function combineOutcomes(outcomes: CommandOutcomes): StopOutcome {
  const safetyStop = outcomes.get('safety_stop');
  const others = [...outcomes].flatMap(([command, outcome]) => (command === 'safety_stop' ? [] : [outcome]));
  const counted = [
    ...(safetyStop === undefined || (safetyStop.state === 'unknownCommand' && others.length > 0) ? [] : [safetyStop]),
    ...(others.length === 0 ? [] : [fallbackOutcome(others)]),
  ];
  const best = counted.reduce((current, next) => (isMoreCertain(next, current) ? next : current), sendingOutcome);
  return { ...best, appliedCommands: [...outcomes.values()].flatMap((outcome) => outcome.appliedCommands) };
}

/** The same rule as for a stop by the dashboard: a node that is only locked keeps moving, so all commands must have a result. */
function fallbackOutcome(outcomes: readonly StopOutcome[]): StopOutcome {
  const best = outcomes.reduce((current, next) => (isMoreCertain(next, current) ? next : current));
  const open = outcomes.filter(({ state }) => state === 'sending' || state === 'sent' || state === 'failed');
  if (best.state !== 'held' || open.length === 0) return best;
  return { ...best, state: 'sent', reason: [...new Set(open.map(({ reason }) => reason))].filter(Boolean).join('; ') };
}

/** @param status `null`: nothing was sent to the manager */
function readOutcome(command: AdminCommand, status: number | null, body: Buffer | null): StopOutcome {
  const outcome = (state: StopOutcome['state'], reason = ''): StopOutcome => ({
    state,
    direct: false,
    reason,
    appliedCommands: state === 'confirmed' || state === 'held' ? [command] : [],
  });
  if (status === null) return outcome('failed', 'the workcell manager is unreachable');
  if (status === 400) return outcome('unknownCommand');
  if (status === 502 || status === 504) return outcome('sent', `HTTP ${status}`);
  const response = status < 300 ? adminCommandResponse.safeParse(parseOrNull(body)) : null;
  if (response === null) return outcome('failed', `HTTP ${status}`);
  if (!response.success) return outcome('sent', 'the answer could not be read');
  if (response.data.success) return outcome(command === 'safety_stop' ? 'confirmed' : 'held');
  const errors = response.data.errors ?? [];
  const isUnknown = errors.some(({ error_type: type }) => type === 'AdminCommandNotImplemented');
  return outcome(isUnknown ? 'unknownCommand' : 'refused', errors.map(({ message }) => message ?? '').join('; '));
}

function parseOrNull(body: Buffer | null): unknown {
  try {
    return body && (JSON.parse(body.toString('utf8')) as unknown);
  } catch {
    return null;
  }
}
