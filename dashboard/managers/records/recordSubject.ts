/** The subject of a datapoint or note that a user adds. */
import type { CommandTarget } from '#api/commandRecord.ts';
import type { OwnershipInfo } from '#api/client/wire.ts';
import type { Experiment } from '#api/managers/experiment.ts';
import type { Nodes } from '#api/managers/workcell.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { experimentId, experimentName } from '../experiment/experimentState.ts';

export interface RecordSubject {
  readonly kind: 'experiment' | 'workflow' | 'node';
  /** For nodes the name, because a node that was never reached has no ID. */
  readonly id: string;
  readonly name: string;
  /** Contains only IDs, because MADSci accepts nothing else in an ownership. */
  readonly owner: OwnershipInfo;
}

export function experimentSubject(experiment: Experiment): RecordSubject {
  const id = experimentId(experiment);
  return { kind: 'experiment', id, name: experimentName(experiment) || id, owner: { experiment_id: id } };
}

/** A record of a workflow also belongs to the workflow's experiment. */
export function workflowSubject({ workflow_id: id, name, ownership_info: info }: Workflow): RecordSubject {
  const { experiment_id: experiment } = info;
  return { kind: 'workflow', id, name, owner: { workflow_id: id, ...(experiment && { experiment_id: experiment }) } };
}

export function nodeSubjects(nodes: Nodes): readonly RecordSubject[] {
  return Object.entries(nodes).map(([name, { info }]) => ({
    kind: 'node',
    id: name,
    name,
    owner: info?.node_id ? { node_id: info.node_id } : {},
  }));
}

export function subjectKey({ kind, id }: Pick<RecordSubject, 'kind' | 'id'>): string {
  return `${kind}:${id}`;
}

/** Returns the target of a note in the command log; a note without a subject is about the lab. */
export function noteTarget(subject: RecordSubject | null, lab: string): CommandTarget {
  if (subject === null) return { kind: 'lab', id: null, name: lab };
  const { kind, id, name } = subject;
  return { kind, id: kind === 'node' ? null : id, name };
}
