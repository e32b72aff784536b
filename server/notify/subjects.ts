/** The lab's status as the things that notifications are about. Pure. */
import type { EndedWorkflow, MaintenanceSubject, LabStatus, ManagerStatus, NodeActivity } from '../../api/lab/lab.ts';
import { maintenanceOf } from '../../api/lab/maintenance.ts';
import { needsPerson, nodeStateText } from '../../api/managers/nodeState.ts';
import { countsAsHealthy, labLooks, managerLooks } from '../../api/states.ts';
import type { Notification, Subject } from './policy.ts';

/** Where it is said what was down, since when and why. */
const managersPage = '/history';

function labSubject({ state, description, lab_name: name }: LabStatus): Subject {
  const isKnown = state === 'healthy' || state === 'degraded' || state === 'down';
  return {
    key: 'lab',
    kind: 'lab',
    name: name ?? 'The lab',
    isBad: isKnown ? state === 'down' : null,
    state: labLooks[state].word.toLowerCase(),
    reason: description,
    path: managersPage,
  };
}

function managerSubject({ manager, name, state, reason }: ManagerStatus, inMaintenance: boolean): Subject {
  return {
    key: `manager ${manager}`,
    kind: 'manager',
    name,
    isBad: inMaintenance || state === 'unknown' ? null : !countsAsHealthy(state),
    state: managerLooks[state].word.toLowerCase(),
    reason: (reason ?? '').replace(/^Failed to connect: /, ''),
    path: managersPage,
  };
}

function nodeSubject({ name, state, flags = [], reason }: NodeActivity, isKnown: boolean): Subject {
  return {
    key: `node ${name}`,
    kind: 'node',
    name,
    isBad: isKnown && state !== 'unknown' ? needsPerson(state) : null,
    state: nodeStateText(state, flags).toLowerCase(),
    reason: reason ?? '',
    path: `/workcells/nodes/${encodeURIComponent(name)}`,
  };
}

/**
 * What is in maintenance counts as unknown: it triggers no notification, and afterwards only a difference from before does.
 * @param areKnown whether the nodes were heard of lately
 */
export function subjectsOf(status: LabStatus, nodes: readonly NodeActivity[], areKnown: boolean): readonly Subject[] {
  const inMaintenance = (kind: MaintenanceSubject['kind'], id: string) =>
    maintenanceOf(status.maintenance, kind, id) !== null;
  return [
    labSubject(status),
    ...status.managers.map((manager) => managerSubject(manager, inMaintenance('manager', manager.manager))),
    ...nodes.map((node) => nodeSubject(node, areKnown && !inMaintenance('node', node.name))),
  ];
}

/** `null` for what nobody needs to hear of: somebody cancelled it. */
export function endedNotification(workflow: EndedWorkflow, at: number): Notification | null {
  const { id, name, state, step, reason } = workflow;
  const path = `/workflows/${encodeURIComponent(id)}`;
  const subjects = [`workflow ${id}`];
  if (state === 'completed')
    return { kind: 'workflow_finished', level: 'info', title: `${name} finished`, body: '', path, at, subjects };
  if (state !== 'failed') return null;
  const where = step === null ? '' : `at step “${step}”`;
  const body = [where, reason ?? ''].filter((part) => part !== '').join(': ');
  return { kind: 'workflow_failed', level: 'problem', title: `${name} failed`, body, path, at, subjects };
}
