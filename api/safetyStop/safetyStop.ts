/**
 * The safety stop of one node, shared by the dashboard and the desktop's shell: sent through the workcell manager and, if
 * that does not respond, through the lab manager's relay and directly to the node's last known address. Several routes
 * may be used, because a repeated stop is harmless. A node without a safety stop gets the supported alternatives
 * immediately: `lock`, and `pause` or else `cancel`. Only the parameters send requests.
 */
import { clock } from '../time/clock.ts';
import { errorText } from '../errorText.ts';
import { pause } from '../time/pause.ts';
import type { AdminCommand, AdminCommandResponse } from '../managers/action.ts';
import { ManagerError } from '../client/managerError.ts';

/**
 * - `sending`: no outcome yet
 * - `confirmed`: the node reported that it stopped
 * - `held`: the node has no safety stop; it confirmed the commands in `appliedCommands` instead
 * - `sent`: the command was sent, and the response was unreadable or late
 * - `unknownCommand`: the node has no safety stop, and confirmed no other command
 * - `refused`, `failed`: with the reason
 */
export const stopStates = ['sending', 'confirmed', 'held', 'sent', 'unknownCommand', 'refused', 'failed'] as const;
export type StopState = (typeof stopStates)[number];

export interface StopOutcome {
  readonly state: StopState;
  /** Whether it is the outcome of a request to the node itself instead of one to the workcell manager. */
  readonly direct: boolean;
  readonly reason: string;
  /** The commands that the node confirmed: a release undoes exactly these. */
  readonly appliedCommands: readonly AdminCommand[];
}

interface RelayedRoute {
  readonly send: (command: AdminCommand) => Promise<AdminCommandResponse>;
  /** Whether it is used at once, together with `throughWorkcell`, and not only when that fails or is late. */
  readonly isFirst: boolean;
}

export interface StopRoutes {
  /** `null` if the workcell manager has no address. */
  readonly throughWorkcell: ((command: AdminCommand) => Promise<AdminCommandResponse>) | null;
  /** Through the lab manager's relay to the workcell manager; missing or `null` where it is not offered. */
  readonly relayed?: RelayedRoute | null;
  /**
   * Resolves with the node's response, or with `null` if it was sent but the response is unreadable. `null`: no address.
   */
  readonly direct: ((command: AdminCommand) => Promise<AdminCommandResponse | null>) | null;
  /** The commands that the node declares; `null` if it was never read. */
  readonly commands: readonly string[] | null;
  /** How long the first routes may take before the others are used as well, in ms. */
  readonly timeoutMs: number;
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

export const sendingOutcome: StopOutcome = { state: 'sending', direct: false, reason: '', appliedCommands: [] };

/** Whether `next` is a more certain outcome at a node than `current`. */
export function isMoreCertain(next: StopOutcome, current: StopOutcome): boolean {
  // Of two sends without a response, the one to the node itself.
  if (next.state === 'sent' && current.state === 'sent') return next.direct && !current.direct;
  // Of two failed sends, the one whose reason is known: a browser reports none for a request to the node.
  if (next.state === 'failed' && current.state === 'failed')
    return !next.direct && current.direct && next.reason !== '';
  return certainty[next.state] > certainty[current.state];
}

/** Combines the outcomes of two attempts: the more certain one, with the commands that the node confirmed in either. */
export function mergeOutcomes(current: StopOutcome, next: StopOutcome): StopOutcome {
  const appliedCommands = [...new Set([...current.appliedCommands, ...next.appliedCommands])];
  return { ...(isMoreCertain(next, current) ? next : current), appliedCommands };
}

/** Whether a node with these commands has a safety stop; `null` if its commands are unknown. */
export function hasSafetyStop(commands: readonly string[] | null): boolean | null {
  return commands === null ? null : commands.includes('safety_stop');
}

/**
 * The commands for a node without a safety stop: prevent new actions, and pause the running one or, if unsupported,
 * cancel it.
 */
export function getFallbackCommands(commands: readonly string[] | null): readonly AdminCommand[] {
  if (commands === null || commands.includes('pause')) return ['lock', 'pause'];
  return commands.includes('cancel') ? ['lock', 'cancel'] : ['lock'];
}

/** The commands that release a node which confirmed these commands; a cancelled action cannot be resumed. */
export function getReleaseCommands(did: readonly AdminCommand[]): readonly AdminCommand[] {
  const undo: Readonly<Record<string, AdminCommand>> = { safety_stop: 'reset', lock: 'unlock', pause: 'resume' };
  return did.flatMap((command) => undo[command] ?? []);
}

/**
 * Stops a node. Calls `onOutcome` with each more certain outcome; a late response can cause a call after the promise is
 * resolved. Never rejects.
 */
export async function stopNode(routes: StopRoutes, onOutcome: (outcome: StopOutcome) => void): Promise<StopOutcome> {
  let best = sendingOutcome;
  const report = (outcome: StopOutcome): void => {
    if (!isMoreCertain(outcome, best)) return;
    best = outcome;
    onOutcome(best);
  };
  if (hasSafetyStop(routes.commands) !== false) {
    const outcome = await sendToNode(routes, 'safety_stop', report);
    if (outcome.state !== 'unknownCommand') return best;
  }
  const fallback = await stopByFallback(routes);
  best = fallback;
  onOutcome(best);
  return best;
}

/** Interval between attempts to stop an unconfirmed node, in ms, regardless of responses. */
const repeatIntervalMs = 2000;
/** The total number of attempts. */
export const maxAttempts = 11;

/** Whether a retry may help: the node was not reached, its response was unreadable, or it refused. */
export function isUnconfirmed({ state }: StopOutcome): boolean {
  return state === 'sent' || state === 'refused' || state === 'failed';
}

/**
 * Stops a node, and repeats the stop every 2 s, at most 10 times, while `isUnconfirmed` and until `signal` aborts: then
 * nothing is sent again, and responses to earlier requests are still reported. An attempt omits each route through the
 * manager whose previous request is still pending.
 * @param onOutcome called with the best outcome so far, and the number of attempts made, from 1
 */
export async function stopUntilConfirmed(
  routes: StopRoutes,
  onOutcome: (outcome: StopOutcome, attempts: number) => void,
  signal: AbortSignal,
): Promise<StopOutcome> {
  let best = sendingOutcome;
  let attempts = 0;
  const settled = new AbortController();
  const workcellRoute = limitToOneRequest(routes.throughWorkcell);
  const relayRoute = limitToOneRequest(routes.relayed?.send ?? null);
  const isWaiting = (): boolean =>
    routes.direct === null &&
    (workcellRoute.isBusy() || relayRoute.isBusy()) &&
    workcellRoute.getSendIfFree() === null &&
    relayRoute.getSendIfFree() === null;
  const send = async (): Promise<void> => {
    const relaySend = relayRoute.getSendIfFree();
    await stopNode(
      {
        ...routes,
        throughWorkcell: workcellRoute.getSendIfFree(),
        relayed: relaySend && { send: relaySend, isFirst: routes.relayed?.isFirst ?? false },
      },
      (outcome) => {
        best = mergeOutcomes(best, outcome);
        if (best.state === 'confirmed') settled.abort();
        onOutcome(best, attempts);
      },
    );
    if (!isUnconfirmed(best)) settled.abort();
  };
  const sends: Promise<void>[] = [];
  do {
    if (isWaiting()) continue;
    attempts += 1;
    sends.push(send());
  } while (attempts < maxAttempts && (await pause(repeatIntervalMs, AbortSignal.any([signal, settled.signal]))));
  if (best.state !== 'confirmed') await Promise.all(sends);
  return best;
}

/** Limits a route to one pending request, so that a server that hangs receives no repetitions. */
function limitToOneRequest(send: StopRoutes['throughWorkcell']) {
  let pending = 0;
  const sendCounted = async (command: AdminCommand): Promise<AdminCommandResponse> => {
    pending += 1;
    try {
      if (send === null) throw new Error('There is no such route');
      return await send(command);
    } finally {
      pending -= 1;
    }
  };
  return { isBusy: () => pending > 0, getSendIfFree: () => (send === null || pending > 0 ? null : sendCounted) };
}

/**
 * Sends one command by the first routes, and by the others if these fail or are late. Calls `onOutcome` with their
 * outcomes, except an unknown command.
 */
async function sendToNode(
  { throughWorkcell, relayed = null, direct, timeoutMs }: StopRoutes,
  command: AdminCommand,
  onOutcome: (outcome: StopOutcome) => void = () => undefined,
): Promise<StopOutcome> {
  let best = sendingOutcome;
  const record = (outcome: StopOutcome): void => {
    if (isMoreCertain(outcome, best)) best = outcome;
    // An unknown command is not final: the supported ones are sent next.
    if (outcome.state !== 'unknownCommand') onOutcome(outcome);
  };
  const relay = relayed === null ? null : () => sendViaWorkcell(() => relayed.send(command), command);
  let otherRoutes: Promise<unknown> | null = null;
  const sendByOtherRoutes = (): Promise<unknown> => {
    otherRoutes ??= Promise.all([
      direct === null ? null : sendDirectly(() => direct(command), command).then(record),
      relay === null || relayed?.isFirst === true ? null : relay().then(record),
    ]);
    return otherRoutes;
  };
  const firstRoutes = [
    ...(throughWorkcell === null ? [] : [() => sendViaWorkcell(() => throughWorkcell(command), command)]),
    ...(relay !== null && relayed?.isFirst === true ? [relay] : []),
  ];
  if (firstRoutes.length === 0) await sendByOtherRoutes();
  else {
    const timer = clock.setTimeout(() => void sendByOtherRoutes(), timeoutMs);
    let pendingCount = firstRoutes.length;
    let isSettled = false;
    let failedOutcome: StopOutcome | null = null;
    const attempts = firstRoutes.map(async (send) => {
      const outcome = await send();
      pendingCount -= 1;
      // One of two routes is usually closed. If both fail, the relay reports the reason of the workcell manager.
      if (outcome.state === 'failed' && (failedOutcome === null || send === relay)) failedOutcome = outcome;
      if (outcome.state !== 'failed') record(outcome);
      else if (pendingCount === 0) record(failedOutcome ?? outcome);
      if (hasNodeResponded(outcome)) return;
      // After the stop is settled, the node may have been released.
      if (!isSettled) await sendByOtherRoutes();
      throw new Error('The node did not respond by this route');
    });
    // The node's response by either route is enough; without one the node is commanded directly.
    await Promise.any(attempts).catch(() => undefined);
    isSettled = true;
    clock.clearTimeout(timer);
    if (otherRoutes !== null && best.state !== 'confirmed' && best.state !== 'unknownCommand') await otherRoutes;
  }
  if (best.state === 'sending') record({ state: 'failed', direct: true, reason: '', appliedCommands: [] });
  return best;
}

/** Whether the node itself has responded. */
function hasNodeResponded({ state }: StopOutcome): boolean {
  return state !== 'failed' && state !== 'sent';
}

/** The result of the fallback commands at a node without a safety stop. */
async function stopByFallback(routes: StopRoutes): Promise<StopOutcome> {
  const outcomes = await Promise.all(
    getFallbackCommands(routes.commands).map((command) => sendToNode(routes, command)),
  );
  const paused = outcomes[1];
  // Its commands were unknown before: if it cannot pause, it may support cancel.
  if (routes.commands === null && paused?.state === 'unknownCommand') outcomes.push(await sendToNode(routes, 'cancel'));
  const did = outcomes.flatMap((outcome) => outcome.appliedCommands);
  const reason = [...new Set(outcomes.map((outcome) => outcome.reason).filter((text) => text !== ''))].join('; ');
  const direct = outcomes.some((outcome) => outcome.direct);
  // Repeat a command that may not have arrived: a node that is only locked keeps moving.
  const mayBeUndelivered = outcomes.some(({ state }) => state === 'failed' || state === 'sent');
  if (did.length > 0 && !mayBeUndelivered) return { state: 'held', direct, reason, appliedCommands: did };
  const best = outcomes.reduce((current, next) => (isMoreCertain(next, current) ? next : current));
  return mayBeUndelivered && did.length > 0
    ? { state: 'sent', direct, reason, appliedCommands: did }
    : { ...best, reason };
}

async function sendViaWorkcell(send: () => Promise<AdminCommandResponse>, command: AdminCommand): Promise<StopOutcome> {
  try {
    return interpretResponse(await send(), command, false);
  } catch (error) {
    const state = error instanceof ManagerError ? stateAfterError(error) : 'failed';
    return { state, direct: false, reason: getReason(error), appliedCommands: [] };
  }
}

/**
 * `sent` if the response is missing or unreadable, because the node may have received the command. Every other error
 * counts as failed.
 */
function stateAfterError({ kind, status }: ManagerError): StopState {
  if (status === 400) return 'unknownCommand';
  return kind === 'unreadable' || kind === 'timeout' || kind === 'not-understood' ? 'sent' : 'failed';
}

async function sendDirectly(
  send: () => Promise<AdminCommandResponse | null>,
  command: AdminCommand,
): Promise<StopOutcome> {
  try {
    const response = await send();
    return response === null
      ? { state: 'sent', direct: true, reason: '', appliedCommands: [] }
      : interpretResponse(response, command, true);
  } catch (error) {
    const mayHaveArrived = error instanceof ManagerError ? stateAfterError(error) === 'sent' : isTimeout(error);
    return { state: mayHaveArrived ? 'sent' : 'failed', direct: true, reason: getReason(error), appliedCommands: [] };
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

function interpretResponse(
  { success, errors }: AdminCommandResponse,
  command: AdminCommand,
  direct: boolean,
): StopOutcome {
  if (success) return { state: 'confirmed', direct, reason: '', appliedCommands: [command] };
  const reasons = (errors ?? [])
    .map(({ message, error_type: type }) => message ?? type ?? '')
    .filter((text) => text !== '');
  const isUnknown = (errors ?? []).some(({ error_type: type }) => type === 'AdminCommandNotImplemented');
  return { state: isUnknown ? 'unknownCommand' : 'refused', direct, reason: reasons.join('; '), appliedCommands: [] };
}

function getReason(error: unknown): string {
  if (error instanceof ManagerError) return error.reason;
  return errorText(error);
}
