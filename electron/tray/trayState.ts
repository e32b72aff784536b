/** The state of the lab as the tray's icon and as one sentence: managers, nodes, safety stop and service. */
import { labLabel } from '../../api/lab/followedLab.ts';
import type { LabStatus, ManagerStatus } from '../../api/lab/lab.ts';
import { describeStop, listUnconfirmedNodes, type LabStop } from '../../api/safetyStop/labStop.ts';
import { listNeeds, managerReasonText, needStateText, needText, type Need } from '../../api/lab/needs.ts';
import { labAppearances, managerAppearances, type LabState } from '../../api/states.ts';
import type { TrayIconName } from '../../api/trayIcons.ts';
import { formatShellTime } from '../preferences/clockTime.ts';
import type { Notice } from '../ipc/contract.ts';
import type { ServiceStatus } from '../../server/status.ts';
import type { Mutes } from '../notifications/notifications.ts';
import { otherLabsSentence, worstState, type OtherLab } from './otherLabs.ts';
import type { LocalStop } from '../safetyStop/safetyStop.ts';

export interface TrayInput {
  readonly service: ServiceStatus;
  readonly lab: LabStatus | null;
  /** The time at which the last lab state arrived, in ms since the epoch. */
  readonly receivedAt: number | null;
  /** The time since which the service has not responded, in ms since the epoch; `null` while it responds. */
  readonly unresponsiveSince: number | null;
  /** The time of the next restart after the quick ones failed, in ms since the epoch. */
  readonly nextRetryAt: number | null;
  readonly now: number;
  /** The addresses for other machines, the best first; empty while no other machine can reach the service. */
  readonly publicUrls: readonly string[];
  readonly notices: readonly Notice[];
  /** The address of the followed lab manager; `null` for this machine's lab. */
  readonly followedUrl: string | null;
  /** The number of nodes that a safety stop would target. */
  readonly knownNodes: number;
  /** The safety stop that this app sent to the lab; see `SafetyStop.localStop`. */
  readonly localStop: LocalStop | null;
  /** The safety stops that this app sent to other labs; see `SafetyStop.stopsOfOtherLabs`. */
  readonly stopsOfOtherLabs: readonly LocalStop[];
  /** True if there was a safety stop of this app, or one is in effect in the lab. */
  readonly hasStopReport: boolean;
  readonly mutes: Mutes;
  /** The chosen labs that are not shown. */
  readonly otherLabs: readonly OtherLab[];
}

/** The age at which a lab state counts as unknown, in milliseconds. */
export const staleMs = 20_000;

/** The maximum length of a line, in characters. */
const maxLength = 120;

/** Limits the length of a text: menus and tooltips are narrow, and a reason may contain text from other programs. */
export function truncate(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}

/**
 * Returns the icon: a lab that a safety stop has stopped differs from a service that has failed.
 * @param state the result of `trayState`
 */
export function trayIcon(input: TrayInput, state: LabState): TrayIconName {
  return serviceState(input) !== 'failed' && isLabStopped(input) ? 'stopped' : state;
}

/** Returns the worst state of the shown lab and the other chosen labs. */
export function trayState(input: TrayInput): LabState {
  return worstState(shownLabState(input), input.otherLabs);
}

/** Returns the state of the shown lab. A stopped lab, or one that needs a person, is never healthy. */
function shownLabState(input: TrayInput): LabState {
  const state = serviceState(input);
  if (state === 'failed') return state;
  if (isLabStopped(input)) return 'failed';
  return (state === 'healthy' || state === 'maintenance') && currentNeeds(input).length > 0 ? 'degraded' : state;
}

/** Returns whether a safety stop is in effect, or a node reports one. */
function isLabStopped(input: TrayInput): boolean {
  const isStopped = ({ kind, name }: Need) => kind === 'node' && hasStopped(input, name);
  return (
    input.localStop !== null || currentLab(input)?.safety_stop !== undefined || currentNeeds(input).some(isStopped)
  );
}

/** Returns the stop in the lab's event log, or one that only flags show and this app has not sent. */
function publishedStop(input: TrayInput): LabStop | null {
  const stop = currentLab(input)?.safety_stop ?? null;
  return stop?.id === null && input.localStop !== null ? null : stop;
}

/** Returns the tooltip and the menu's first line: the worst problem in one sentence, and problems of other labs. */
export function traySentence(input: TrayInput): string {
  const stops = input.stopsOfOtherLabs.map((stop) => `; ${stop.lab}: ${localStopText(stop)}`);
  return `${labSentence(input)}${stops.join('')}${otherLabsSentence(input.otherLabs)}`;
}

function labSentence(input: TrayInput): string {
  const { now, localStop } = input;
  const lab = currentLab(input);
  const stop = publishedStop(input);
  if (stop !== null && lab !== null) {
    return `${labLabel(lab)}: ${describeStop(stop, (at) => formatShellTime(at, now)).replace(/\.$/, '')}`;
  }
  const problem = serviceProblem(input);
  if (problem !== null) return `Lab Manager: ${problem}`;
  const state = serviceState(input);
  const { service } = input;
  const name = lab === null ? ((service.phase === 'running' ? service.labName : null) ?? 'Lab') : labLabel(lab);
  if (localStop !== null) return `${name}: ${localStopText(localStop)}`;
  if (lab === null || state === 'starting') return `${name}: starting`;
  if (state === 'unknown') return `${name}: unknown, ${unknownReason(input, lab)}`;
  const needs = currentNeeds(input);
  const [worst] = needs;
  const more = needs.length > 1 ? ` (and ${needs.length - 1} more)` : '';
  const differs = lab.followed?.reported?.differing.length
    ? `, while its own lab manager reports ${reportedText(lab)}`
    : '';
  const managers = `${lab.description}${differs}`;
  if (worst === undefined) return `${name}: ${labAppearances[state].label}, ${managers}`;
  const line = truncate(lineOf(worst, now));
  return worst.kind === 'manager'
    ? `${name}: ${labAppearances[state].label}, ${managers}; ${line}${more}`
    : `${name}: ${line}${more}, ${managers}`;
}

/**
 * Returns the reason for an unknown state; for a lost lab manager also the time of the loss, and the health of the
 * managers at their last known addresses.
 */
function unknownReason({ service, now }: TrayInput, lab: LabStatus): string {
  if (service.phase !== 'running' || service.followLost === null) return 'checking again';
  const counts = `${lab.healthy_managers}/${lab.total_managers}`;
  return `its lab manager has not answered since ${formatShellTime(service.followLost.since, now)}, ${counts} managers are healthy`;
}

function reportedText({ followed }: LabStatus): string {
  return `${followed?.reported?.healthy_managers}/${followed?.reported?.total_managers}`;
}

function localStopText({ unconfirmedNodes: unconfirmed }: LocalStop): string {
  if (unconfirmed.length === 0) return 'stopped by this app, every node confirmed';
  return `stopped by this app, not confirmed: ${unconfirmed.join(', ')}`;
}

/** Returns the lab, unless its state is invalid because the service failed. */
export function currentLab(input: TrayInput): LabStatus | null {
  return serviceState(input) === 'failed' ? null : input.lab;
}

/** Returns what needs a person, the most urgent first; empty if the lab's state isn't current. */
export function currentNeeds(input: TrayInput): readonly Need[] {
  const state = serviceState(input);
  return input.lab === null || state === 'failed' || state === 'unknown' || state === 'starting'
    ? []
    : listNeeds(input.lab, (at) => formatShellTime(at, input.now));
}

function withoutStop({ safety_stop: _stop, ...lab }: LabStatus): LabStatus {
  return lab;
}

/** Returns whether the node reports a safety stop, besides another state or not. */
function hasStopped({ lab }: TrayInput, name: string): boolean {
  const node = lab?.activity?.nodes?.in_need.find((inNeed) => inNeed.name === name);
  return node?.state === 'stopped' || (node?.flags ?? []).includes('stopped');
}

const lineOf = (need: Need, now: number): string => needText(need, (at) => formatShellTime(at, now));

/**
 * Returns a line for each node that needs attention: those that did not confirm the safety stop first, then the most urgent.
 */
export function nodeLines(input: TrayInput): readonly { readonly name: string; readonly line: string }[] {
  const { lab, localStop, now } = input;
  const stop = publishedStop(input);
  const unconfirmedNames = stop
    ? listUnconfirmedNodes(stop).map(({ name }) => name)
    : (localStop?.unconfirmedNodes ?? []);
  // Without the stop, the needs contain the current state of each node.
  const nodes = currentNeeds({ ...input, lab: lab && withoutStop(lab) }).filter(({ kind }) => kind === 'node');
  const formatTime = (at: number) => formatShellTime(at, now);
  const unconfirmed = unconfirmedNames.map((name) => {
    const node = nodes.find(({ id }) => id === name);
    const state = node === undefined ? '' : `, ${needStateText(node, formatTime)}`;
    return { name, line: `${name}: safety stop not confirmed${state}` };
  });
  const others = nodes.filter(({ id }) => !unconfirmedNames.includes(id));
  return [...unconfirmed, ...others.map((node) => ({ name: node.id, line: lineOf(node, now) }))];
}

/** Returns the state of service and managers only. */
function serviceState({ service, lab, receivedAt, unresponsiveSince, nextRetryAt, now }: TrayInput): LabState {
  if (nextRetryAt !== null) return 'failed';
  if (unresponsiveSince !== null) return 'unknown';
  switch (service.phase) {
    case 'failed':
    case 'settings-error':
    case 'port-taken':
      return 'failed';
    case 'stopped':
    case 'starting':
      return 'starting';
    case 'attached':
    case 'running':
      if (service.phase === 'attached' && service.lost !== null) return 'unknown';
      if (lab === null) return 'starting';
      return receivedAt === null || now - receivedAt > staleMs ? 'unknown' : lab.state;
  }
}

/** Returns the problem that prevents the service from reporting; `null` without one. */
function serviceProblem({ service, unresponsiveSince, nextRetryAt, now }: TrayInput): string | null {
  if (nextRetryAt !== null) return `the service keeps stopping, next try at ${formatShellTime(nextRetryAt, now)}`;
  if (unresponsiveSince !== null)
    return `the service has not responded since ${formatShellTime(unresponsiveSince, now)}`;
  if (service.phase === 'attached' && service.lost !== null) {
    return `the service at ${service.url} has not answered since ${formatShellTime(service.lost.since, now)}`;
  }
  switch (service.phase) {
    case 'settings-error':
      return 'the settings have errors';
    case 'port-taken':
      return `port ${service.port} is already in use`;
    case 'failed':
      return service.reason;
    case 'stopped':
    case 'starting':
    case 'running':
    case 'attached':
      return null;
  }
}

/** `Resource Manager: Unreachable since 14:02: connection refused (lab-pc:8003)`. */
export function managerLine(manager: ManagerStatus, now: number): string {
  const { label: stateLabel } = managerAppearances[manager.state];
  if (manager.state === 'healthy') return `${manager.name}: ${stateLabel}`;
  const since = manager.since === null ? '' : ` since ${formatShellTime(Date.parse(manager.since), now)}`;
  const reason = manager.reason === null ? '' : `: ${truncate(managerReasonText(manager.reason))}`;
  return `${manager.name}: ${stateLabel}${since}${reason}`;
}
