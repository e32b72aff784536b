/**
 * The safety stop of one node: its schedule and the meaning of the responses, shared by the service and by the fallback of
 * pages, app and command line. Only `NodeRoutes` sends requests. Several routes may carry the same command, because a
 * repeated stop is harmless.
 */
import { errorText } from '../errorText.ts';
import { clock } from '../time/clock.ts';
import { pause } from '../time/pause.ts';
import type { AdminCommand, AdminCommandResponse } from '../managers/action.ts';
import { ManagerError } from '../client/managerError.ts';
import { stringifyExactJson } from '../exactJson.ts';

/**
 * - `sending`: no outcome yet
 * - `confirmed`: the node reported that it stopped
 * - `held`: the node did not confirm the stop; it confirmed the commands in `did` instead
 * - `sent`: the command was sent, and the response was unreadable or late
 * - `unknownCommand`: the node has no safety stop, and confirmed no other command
 * - `refused`, `failed`: with the reason
 */
export const stopStates = ['sending', 'confirmed', 'held', 'sent', 'unknownCommand', 'refused', 'failed'] as const;
export type StopState = (typeof stopStates)[number];

export interface StopOutcome {
  readonly state: StopState;
  /** Whether the node itself responded, and not the workcell manager for it. */
  readonly direct: boolean;
  readonly reason: string;
  /** The commands that the node confirmed: a release undoes exactly these. */
  readonly did: readonly AdminCommand[];
  /** The commands whose response is missing: the node may have executed them, so a release undoes them as well. */
  readonly unclearCommands?: readonly AdminCommand[];
}

/**
 * Sends a command by one route. Resolves with the node's response, or with `null` if it was sent but the response can
 * never be read. Must reject after a timeout, and when `signal` aborts while the command waits to be sent.
 */
export type SendCommand = (command: AdminCommand, signal: AbortSignal) => Promise<AdminCommandResponse | null>;

export interface NodeRoutes {
  /** To the node's own address; `null` without an HTTP address. */
  readonly direct: SendCommand | null;
  /** Through the workcell manager; `null` if it has no address. */
  readonly workcell: SendCommand | null;
}

/** The node's own response outranks a command that was only sent, which outranks any failure to reach the node. */
const certainty: Readonly<Record<StopState, number>> = {
  sending: 0,
  failed: 1,
  sent: 2,
  unknownCommand: 3,
  refused: 4,
  held: 5,
  confirmed: 6,
};

const sendingOutcome: StopOutcome = { state: 'sending', direct: false, reason: '', did: [] };

/** Whether `next` is a more certain outcome at a node than `current`. */
function isMoreCertain(next: StopOutcome, current: StopOutcome): boolean {
  // Of two sends without a response, the one to the node itself.
  if (next.state === 'sent' && current.state === 'sent') return next.direct && !current.direct;
  // Of two failed sends, the one whose reason is known: a browser reports none for a request to the node.
  if (next.state === 'failed' && current.state === 'failed') return current.reason === '' && next.reason !== '';
  return certainty[next.state] > certainty[current.state];
}

/** Whether a node with these commands has a safety stop; `null` if its commands are unknown. */
export function hasSafetyStop(commands: readonly string[] | null): boolean | null {
  return commands === null ? null : commands.includes('safety_stop');
}

/**
 * The commands for a node that does not confirm a safety stop: prevent new actions, and pause the running one or, if
 * unsupported, cancel it.
 */
function getFallbackCommands(commands: readonly string[] | null): readonly AdminCommand[] {
  if (commands === null || commands.includes('pause')) return ['lock', 'pause'];
  return commands.includes('cancel') ? ['lock', 'cancel'] : ['lock'];
}

/**
 * The commands that release a node which confirmed these commands, in the order of sending: a node that is still locked
 * may reject `resume`. A cancelled action cannot be resumed.
 */
export function getReleaseCommands(did: readonly string[]): readonly AdminCommand[] {
  const undo = { safety_stop: 'reset', lock: 'unlock', pause: 'resume' } as const;
  return Object.entries(undo).flatMap(([command, release]) => (did.includes(command) ? [release] : []));
}

/** Time until the workcell manager is used as well, if the node has an address and has not confirmed, in ms. */
export const workcellDelayMs = 150;
/** Time without an answer after which the fallback commands are sent as well, in ms. */
const silenceMs = 500;
/** Interval between attempts, in ms, regardless of responses. */
const repeatIntervalMs = 2000;
/** The total number of attempts. */
const maxAttempts = 11;
/** Timeout of one request, in ms. */
export const routeTimeoutMs = 10_000;

export interface NodeStop {
  readonly routes: NodeRoutes;
  /** The commands that the node declares; `null` if it was never read. */
  readonly commands: readonly string[] | null;
  /** See `workcellDelayMs`; 0 for a sender that can't read the node's own response. */
  readonly delayMs: number;
  /** Ends the attempts; responses to earlier requests are still reported. */
  readonly signal: AbortSignal;
  /** Called with each change of the outcome, and the number of attempts made, from 1. */
  readonly onOutcome: (outcome: StopOutcome, attempts: number) => void;
}

/**
 * Stops a node: the safety stop at once, the fallback commands as well after a refusal, an error or silence, and
 * all of them again every 2 s until confirmed. Resolves when every request has a response. Never rejects.
 */
export function stopNode(stop: NodeStop): Promise<void> {
  return new NodeStopRun(stop).run();
}

class NodeStopRun {
  readonly #stop: NodeStop;
  /** The most certain outcome of each command. */
  readonly #outcomes = new Map<AdminCommand, StopOutcome>();
  /** The pending requests by route and command: a server that hangs receives no repetitions. */
  readonly #pending = new Map<string, Promise<void>>();
  readonly #confirmed = new AbortController();
  /** Aborts when nothing more is to be sent. */
  readonly #end: AbortSignal;
  #isEscalated: boolean;
  #attempts = 0;
  #reported = '';

  constructor(stop: NodeStop) {
    this.#stop = stop;
    this.#end = AbortSignal.any([stop.signal, this.#confirmed.signal]);
    this.#isEscalated = hasSafetyStop(stop.commands) === false;
  }

  async run(): Promise<void> {
    const silence = clock.setTimeout(() => this.#escalate(), silenceMs);
    do {
      this.#attempts += 1;
      this.#report();
      for (const command of this.#dueCommands()) this.#send(command);
    } while (this.#attempts < maxAttempts && (await pause(repeatIntervalMs, this.#end)));
    clock.clearTimeout(silence);
    while (this.#pending.size > 0) await Promise.all(this.#pending.values());
    this.#report();
  }

  /** The commands that the node has neither confirmed nor rejected as unknown. */
  #dueCommands(): readonly AdminCommand[] {
    const { commands } = this.#stop;
    const isDue = (command: AdminCommand): boolean => {
      const state = this.#outcomes.get(command)?.state;
      return state !== 'confirmed' && state !== 'unknownCommand';
    };
    if (this.#end.aborted) return [];
    const stop: readonly AdminCommand[] = hasSafetyStop(commands) === false ? [] : ['safety_stop'];
    // Its commands were unknown before: if it cannot pause, it may support cancel.
    const cancel: readonly AdminCommand[] =
      commands === null && this.#outcomes.get('pause')?.state === 'unknownCommand' ? ['cancel'] : [];
    const others = this.#isEscalated ? [...getFallbackCommands(commands), ...cancel] : [];
    return [...stop, ...others].filter(isDue);
  }

  #escalate(): void {
    if (this.#isEscalated || this.#end.aborted) return;
    this.#isEscalated = true;
    for (const command of this.#dueCommands()) if (command !== 'safety_stop') this.#send(command);
  }

  #send(command: AdminCommand): void {
    const { direct, workcell } = this.#stop.routes;
    if (direct !== null) this.#sendBy('direct', direct, command, 0);
    if (workcell !== null) this.#sendBy('workcell', workcell, command, direct === null ? 0 : this.#stop.delayMs);
    if (direct === null && workcell === null)
      this.#record(command, { ...sendingOutcome, state: 'failed', direct: true });
  }

  #sendBy(route: keyof NodeRoutes, send: SendCommand, command: AdminCommand, delayMs: number): void {
    const key = `${route} ${command}`;
    if (this.#pending.has(key)) return;
    const request = async (): Promise<void> => {
      // A route that fails meanwhile ends the delay: see `#record`.
      if (delayMs > 0) await pause(delayMs, AbortSignal.any([this.#end, this.#getDelayEnd(command)]));
      if (this.#outcomes.get(command)?.state === 'confirmed' || this.#end.aborted) return;
      const outcome = await sendOnce(send, command, route === 'direct', this.#end);
      this.#pending.delete(key);
      if (outcome !== null) this.#record(command, outcome);
    };
    this.#pending.set(
      key,
      request().finally(() => this.#pending.delete(key)),
    );
  }

  readonly #delayEnds = new Map<AdminCommand, AbortController>();
  #getDelayEnd(command: AdminCommand): AbortSignal {
    const end = this.#delayEnds.get(command) ?? new AbortController();
    this.#delayEnds.set(command, end);
    return end.signal;
  }

  #record(command: AdminCommand, outcome: StopOutcome): void {
    const previous = this.#outcomes.get(command);
    if (previous === undefined || isMoreCertain(outcome, previous)) this.#outcomes.set(command, outcome);
    if (command === 'safety_stop' && outcome.state === 'confirmed') this.#confirmed.abort();
    if (outcome.state !== 'confirmed') this.#delayEnds.get(command)?.abort();
    const isUnreadable = outcome.state === 'sent' && outcome.reason === '';
    const isAnyPending = [...this.#pending.keys()].some((key) => key.endsWith(' safety_stop'));
    // A failed route is no response of the node while another one is pending; an unreadable response may be a confirmation.
    if (command === 'safety_stop' && !isUnreadable && (outcome.state !== 'failed' || !isAnyPending)) this.#escalate();
    if (command === 'pause' && this.#dueCommands().includes('cancel')) this.#send('cancel');
    this.#report();
    if (this.#dueCommands().length === 0) this.#confirmed.abort();
  }

  #report(): void {
    const outcome = summarizeOutcomes(this.#outcomes);
    const text = stringifyExactJson([outcome, this.#attempts]);
    if (text === this.#reported) return;
    this.#reported = text;
    this.#stop.onOutcome(outcome, this.#attempts);
  }
}

/** The outcome of all commands to a node, and which of them it may have executed. */
function summarizeOutcomes(outcomes: ReadonlyMap<AdminCommand, StopOutcome>): StopOutcome {
  const unclearCommands = [...outcomes].flatMap(([command, { state }]) => (state === 'sent' ? [command] : []));
  return { ...combineOutcomes(outcomes), ...(unclearCommands.length > 0 && { unclearCommands }) };
}

function combineOutcomes(outcomes: ReadonlyMap<AdminCommand, StopOutcome>): StopOutcome {
  const did = [...outcomes].flatMap(([command, { state }]) => (state === 'confirmed' ? [command] : []));
  const stop = outcomes.get('safety_stop');
  if (stop?.state === 'confirmed') return { ...stop, did };
  const others = [...outcomes].flatMap(([command, outcome]) => (command === 'safety_stop' ? [] : [outcome]));
  // Without a safety stop, the fallback commands decide.
  const counted =
    stop === undefined || (stop.state === 'unknownCommand' && others.length > 0) ? others : [stop, ...others];
  const failures = counted.filter(({ state }) => state !== 'confirmed');
  // The node may have executed a command without a response although it refused another one: a release must undo it.
  const unclear = failures.filter(({ state }) => state === 'sent');
  const worst = (unclear.length > 0 ? unclear : failures).reduce(
    (best, next) => (isMoreCertain(next, best) ? next : best),
    sendingOutcome,
  );
  if (did.length === 0) return { ...worst, did };
  const isDirect = others.some(({ state, direct }) => state === 'confirmed' && direct);
  // Such a node may continue its action: its `lock` alone only prevents the next one.
  const unexecuted = [...outcomes].flatMap(([command, { state, reason }]) =>
    state === 'confirmed' || state === 'unknownCommand' || reason === '' ? [] : [describeFailure(command, reason)],
  );
  return { state: 'held', direct: isDirect, reason: unexecuted.join(', '), did };
}

const describeFailure = (command: AdminCommand, reason: string): string =>
  `${command.replace('_', ' ')} (${reason.replace(/\.$/, '')})`;

/** @returns `null` if `end` aborted before the command was sent */
async function sendOnce(
  send: SendCommand,
  command: AdminCommand,
  direct: boolean,
  end: AbortSignal,
): Promise<StopOutcome | null> {
  try {
    const response = await send(command, end);
    if (response === null) return { state: 'sent', direct, reason: '', did: [] };
    return { ...interpretResponse(response), direct, did: response.success ? [command] : [] };
  } catch (error) {
    if (end.aborted && error === end.reason) return null;
    const reason = error instanceof ManagerError ? error.reason : errorText(error);
    return { state: stateAfterError(error, direct), direct, reason, did: [] };
  }
}

/**
 * `sent` if the response is missing or unreadable, because the node may have received the command. An error status of the
 * node is its refusal; one of the workcell manager does not show whether the node was reached.
 */
export function stateAfterError(error: unknown, direct: boolean): StopState {
  if (!(error instanceof ManagerError))
    return error instanceof DOMException && error.name === 'TimeoutError' ? 'sent' : 'failed';
  const { kind, status } = error;
  if (kind === 'http' && status === (direct ? 422 : 400)) return 'unknownCommand';
  if (kind === 'http') return direct ? 'refused' : 'failed';
  return kind === 'unreadable' || kind === 'timeout' || kind === 'not-understood' ? 'sent' : 'failed';
}

function interpretResponse({ success, errors }: AdminCommandResponse): Pick<StopOutcome, 'state' | 'reason'> {
  if (success) return { state: 'confirmed', reason: '' };
  const reasons = (errors ?? [])
    .map(({ message, error_type: type }) => message ?? type ?? '')
    .filter((text) => text !== '');
  const isUnknown = (errors ?? []).some(({ error_type: type }) => type === 'AdminCommandNotImplemented');
  return { state: isUnknown ? 'unknownCommand' : 'refused', reason: reasons.join('; ') };
}
