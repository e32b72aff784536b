/** Converts the lab's status to the subjects of notifications. */
import { labLabel } from '../../api/lab/followedLab.ts';
import type {
  EndedWorkflow,
  LostWorkflows,
  LabStatus,
  MaintenanceSubject,
  ManagerStatus,
  NodeActivity,
  OverdueStep,
} from '../../api/lab/lab.ts';
import { findMaintenance } from '../../api/lab/maintenance.ts';
import { needsAttention, nodeReasonText, nodeStateText } from '../../api/managers/nodeState.ts';
import { countsAsHealthy, labAppearances, managerAppearances } from '../../api/states.ts';
import { formatClockTime, parseStatusTime } from '../../api/time/clockText.ts';
import { formatDuration } from '../../api/time/durationText.ts';
import { unnamedLab, type Notification } from '../channels/channel.ts';
import type { Subject } from './notification.ts';

/** The page with past outages and their reasons. */
const managersPage = '/history';

function labSubject(status: LabStatus): Subject {
  const { state, since, description, managers } = status;
  const isKnown = state === 'healthy' || state === 'degraded' || state === 'down';
  return {
    key: 'lab',
    identity: managers.map(({ url }) => url).join(' '),
    kind: 'lab',
    name: labLabel(status, unnamedLab),
    isFailing: isKnown ? state === 'down' : null,
    state: labAppearances[state].label.toLowerCase(),
    since: parseStatusTime(since),
    reason: description,
    path: managersPage,
  };
}

function managerSubject({ manager, url, name, state, since, reason }: ManagerStatus, inMaintenance: boolean): Subject {
  return {
    key: `manager ${manager}`,
    identity: url,
    kind: 'manager',
    name,
    isFailing: inMaintenance || state === 'unknown' ? null : !countsAsHealthy(state),
    state: managerAppearances[state].label.toLowerCase(),
    since: parseStatusTime(since),
    reason: (reason ?? '').replace(/^Failed to connect: /, ''),
    path: managersPage,
  };
}

/** @param workcell address of its workcell manager */
function nodeSubject(
  { name, state, flags = [], since, reason, waiting }: NodeActivity,
  workcell: string,
  isKnown: boolean,
): Subject {
  return {
    key: `node ${name}`,
    identity: workcell,
    kind: 'node',
    name,
    isFailing: isKnown && state !== 'unknown' ? needsAttention(state, waiting) : null,
    state: nodeStateText(state, flags).toLowerCase(),
    since: parseStatusTime(since),
    reason: nodeReasonText(reason, waiting),
    path: `/workcells/nodes/${encodeURIComponent(name)}`,
  };
}

/**
 * Subjects in maintenance count as unknown: they trigger no notification, and afterwards only a difference from before
 * does.
 * @param isRecent whether the nodes were read recently
 */
export function listSubjects(status: LabStatus, nodes: readonly NodeActivity[], isRecent: boolean): readonly Subject[] {
  const inMaintenance = (kind: MaintenanceSubject['kind'], id: string) =>
    findMaintenance(status.maintenance, kind, id) !== null;
  const workcell = status.managers.find(({ manager }) => manager === 'workcell')?.url ?? '';
  return [
    labSubject(status),
    ...status.managers.map((manager) => managerSubject(manager, inMaintenance('manager', manager.manager))),
    ...nodes.map((node) => nodeSubject(node, workcell, isRecent && !inMaintenance('node', node.name))),
  ];
}

/** `null` for a workflow that a person cancelled. */
export function endedNotification(workflow: EndedWorkflow, at: number): Notification | null {
  const { id, name, state, step, reason, end } = workflow;
  const path = `/workflows/${encodeURIComponent(id)}`;
  // A retried workflow has the same ID, and its next end is another incident.
  const incident = [state, 'workflow', id, ...(end === undefined ? [] : [end])].join(' ');
  const common = { path, at, since: null, subjects: [`workflow ${id}`], incidents: [incident] };
  if (state === 'completed')
    return { ...common, kind: 'workflow_finished', level: 'info', title: `${name} finished`, body: '' };
  if (state !== 'failed') return null;
  const where = step === null ? '' : `at step “${step}”`;
  const body = [where, reason ?? ''].filter((part) => part !== '').join(': ');
  return { ...common, kind: 'workflow_failed', level: 'problem', title: `${name} failed`, body };
}

/** Two servers of a lab report the same incident, unless one of them knew only a part of the lost workflows. */
export function lossNotification({ seen, total, workflows }: LostWorkflows, at: number, wallNow: number): Notification {
  const read = formatClockTime(parseStatusTime(seen) ?? wallNow, wallNow);
  return {
    kind: 'workflow_failed',
    level: 'problem',
    title: total === 1 ? 'An active workflow was lost' : `${total} active workflows were lost`,
    body: `The workcell manager no longer has ${total === 1 ? 'it' : 'them'}; last read at ${read}.`,
    path: '/workflows',
    at,
    since: null,
    subjects: workflows.map(({ id }) => `workflow ${id}`),
    incidents: [`lost workflow ${workflows.map(({ id }) => id).toSorted()[0]}`],
  };
}

/** Two servers of a lab report the same incident, because both use the start as the workcell manager wrote it. */
export function overdueKey({ id, step, start }: OverdueStep): string {
  return `${id} ${step} ${start}`;
}

export function overdueNotification(overdue: OverdueStep, at: number, wallNow: number): Notification {
  const { id, name, step, node, since, longest_seconds: longestSeconds } = overdue;
  const start = formatClockTime(parseStatusTime(since) ?? wallNow, wallNow);
  return {
    kind: 'step_overdue',
    level: 'problem',
    title: `${name}: step “${step}” on ${node} is overdue`,
    body: `It has been running since ${start}; earlier runs took at most ${formatDuration(longestSeconds * 1000)}.`,
    path: `/workflows/${encodeURIComponent(id)}`,
    at,
    since: null,
    subjects: [`workflow ${id}`],
    incidents: [`overdue step ${overdueKey(overdue)}`],
  };
}
