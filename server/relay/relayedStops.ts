/**
 * Records the safety stops of senders who cannot record them themselves, because the relay passes on no other command of
 * theirs: the press, and the results of all nodes, as a page records its own stop.
 */
import type { Request } from 'express';
import { adminCommandAnswer, type AdminCommand } from '../../api/managers/action.ts';
import { isMoreCertain, sendingOutcome, type StopOutcome } from '../../api/safetyStop/safetyStop.ts';
import { putRow, type StopRow } from '../../api/safetyStop/stopReport.ts';
import { StopRecord } from '../../api/safetyStop/stopRecord.ts';
import type { Sender } from '../access/sender.ts';
import { commandSenderOf, type RecordRelayed } from './relayedCommands.ts';
import type { RelayRoute } from './route.ts';

/** Commands to several nodes arrive within this time after a press, in ms. */
const pressMs = 300;
/** The result is recorded after this time, and when no command has been sent or answered for `endMs`. */
const interimMs = 3000;
const endMs = 8000;

/** A page repeats a stop for 20 s. The next command after this time, in ms, is another stop. */
const maxRoundMs = 40_000;
const maxNodes = 1000;

export interface StopsWiring {
  readonly record: RecordRelayed;
  /** The commands that had their effect at a node when it was last read. */
  readonly effectsBefore: (node: string) => readonly AdminCommand[];
  /** Address of the workcell manager. */
  readonly workcell: () => string;
}

interface Round {
  readonly record: StopRecord;
  readonly pressedAt: number;
  rows: readonly StopRow[];
  stopId: string | null;
  end: NodeJS.Timeout;
  readonly timers: readonly NodeJS.Timeout[];
}

export class RelayedStops {
  readonly #wiring: StopsWiring;
  readonly #rounds = new Map<string, Round>();

  constructor(wiring: StopsWiring) {
    this.#wiring = wiring;
  }

  /** Notes a command that is sent. @returns a function that notes its answer */
  sent(request: Request, from: Sender, { path }: RelayRoute): (status: number, body: Buffer | null) => void {
    const sender = commandSenderOf(request, from);
    const key = `${sender.user ?? ''} ${sender.machine}`;
    const before = this.#rounds.get(key);
    if (before !== undefined && Date.now() - before.pressedAt > maxRoundMs) this.#end(key);
    const round = this.#rounds.get(key) ?? this.#begin(key, sender);
    const [, , command = '', encoded = ''] = path.split('/');
    const name = decodeURIComponent(encoded);
    this.#put(key, round, name, sendingOutcome);
    return (status, body) => this.#put(key, round, name, outcomeOf(command as AdminCommand, status, body));
  }

  /** Records the last results. */
  stop(): void {
    for (const key of this.#rounds.keys()) this.#end(key);
  }

  #begin(key: string, sender: ReturnType<typeof commandSenderOf>): Round {
    const record = new StopRecord({ record: (facts, what) => this.#wiring.record(facts, what, sender), now: Date.now });
    const round: Round = {
      record,
      pressedAt: Date.now(),
      rows: [],
      stopId: null,
      end: setTimeout(() => this.#end(key), endMs),
      timers: [setTimeout(() => press(round), pressMs), setTimeout(() => recordResult(round), interimMs)],
    };
    this.#rounds.set(key, round);
    return round;
  }

  #put(key: string, round: Round, name: string, outcome: StopOutcome): void {
    const known = round.rows.find((row) => row.name === name);
    if (known === undefined && round.rows.length >= maxNodes) return;
    round.rows = putRow(round.rows, {
      name,
      workcell: this.#wiring.workcell(),
      url: null,
      commands: null,
      outcome: combined(known?.outcome ?? sendingOutcome, outcome),
      attempt: 1,
      previousCommands: known?.previousCommands ?? this.#wiring.effectsBefore(name),
      didBefore: [],
      releasedAt: null,
      releaseFailure: '',
    });
    if (this.#rounds.get(key) !== round) return recordResult(round);
    clearTimeout(round.end);
    round.end = setTimeout(() => this.#end(key), endMs);
  }

  #end(key: string): void {
    const round = this.#rounds.get(key);
    if (round === undefined) return;
    this.#rounds.delete(key);
    for (const timer of [round.end, ...round.timers]) clearTimeout(timer);
    press(round);
    recordResult(round);
  }
}

function press(round: Round): void {
  round.stopId ??= round.record.press(round.rows, round.pressedAt);
}

function recordResult({ record, rows, stopId, pressedAt }: Round): void {
  if (stopId !== null) record.result(stopId, rows, pressedAt);
}

/** The outcome at a node after another command was answered. */
function combined(known: StopOutcome, next: StopOutcome): StopOutcome {
  const appliedCommands = [...new Set([...known.appliedCommands, ...next.appliedCommands])];
  const best = isMoreCertain(next, known) ? next : known;
  return { ...best, appliedCommands };
}

function outcomeOf(command: AdminCommand, status: number, body: Buffer | null): StopOutcome {
  const outcome = (state: StopOutcome['state'], reason = ''): StopOutcome => ({
    state,
    direct: false,
    reason,
    appliedCommands: state === 'confirmed' || state === 'held' ? [command] : [],
  });
  if (status === 400) return outcome('unknownCommand');
  if (status === 502 || status === 504) return outcome('sent', `HTTP ${status}`);
  const answer = status < 300 ? adminCommandAnswer.safeParse(parsed(body)) : null;
  if (answer === null) return outcome('failed', `HTTP ${status}`);
  if (!answer.success) return outcome('sent', 'the answer could not be read');
  if (answer.data.success) return outcome(command === 'safety_stop' ? 'confirmed' : 'held');
  const errors = answer.data.errors ?? [];
  const isUnknown = errors.some(({ error_type: type }) => type === 'AdminCommandNotImplemented');
  return outcome(isUnknown ? 'unknownCommand' : 'refused', errors.map(({ message }) => message ?? '').join('; '));
}

function parsed(body: Buffer | null): unknown {
  try {
    return body && (JSON.parse(body.toString('utf8')) as unknown);
  } catch {
    return null;
  }
}
