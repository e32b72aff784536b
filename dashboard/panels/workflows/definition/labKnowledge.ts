/** The known state of the lab when a workflow is checked, and its sources. Missing data stays unknown. */
import type { Ref } from 'vue';
import type { NewWorkflowDefinition } from '#api/managers/workflowDefinition.ts';
import type { NodeInfo, NodeStatus } from '#api/managers/node.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import type { JsonObject, OwnershipInfo } from '#api/client/wire.ts';
import type { FormField } from '#dashboard/components/form/field.ts';
import type { Suggestions } from '#dashboard/components/form/suggestion.ts';
import type { LocationContents, PlannedTransfer, Transfer } from './plannedTransfer.ts';

interface KnownLocation {
  readonly name: string;
  readonly id: string;
  /** ID of the resource that records the contents; `null` without one. */
  readonly resource: string | null;
  /** The nodes that have a representation of it. */
  readonly representations: readonly string[];
}

/** The outcome of the last request to a manager. */
export interface Responsiveness {
  /** `null` before the first request. */
  readonly isResponding: boolean | null;
  /** Reason of the missing response. */
  readonly reason: string;
}

export interface LabKnowledge {
  /** By name; `null` if a node has not reported its capabilities. Empty if the workcell manager does not respond. */
  readonly nodes: Readonly<Record<string, NodeInfo | null>>;
  readonly statuses: Readonly<Record<string, NodeStatus | null>>;
  readonly locations: readonly KnownLocation[];
  readonly workcell: Responsiveness;
  readonly location: Responsiveness;
  /** Needed only for files. */
  readonly data: Responsiveness;
  /** The reason why the workcell starts no steps; null if it does. */
  readonly engineFailure: string | null;
  /** Planned paths of the definition's transfers by `transferKey`, if requested. */
  readonly transfers: Readonly<Record<string, PlannedTransfer>>;
  /** Contents of the steps' source and target locations, by location name. */
  readonly contents: Readonly<Record<string, LocationContents>>;
}

/** The state before the first request. */
export const emptyKnowledge: LabKnowledge = {
  nodes: {},
  statuses: {},
  locations: [],
  workcell: { isResponding: null, reason: '' },
  location: { isResponding: null, reason: '' },
  data: { isResponding: null, reason: '' },
  engineFailure: null,
  transfers: {},
  contents: {},
};

interface WorkflowStart {
  readonly values: JsonObject;
  /** By file parameter key. */
  readonly files: Readonly<Record<string, File>>;
  readonly ownership: OwnershipInfo | null;
}

/** Access to the lab for the submit page. */
export interface SubmitLab {
  /** Whether the managers' addresses are known. */
  readonly available: Readonly<Ref<boolean>>;
  /** Returns current suggestions for the start form's fields. Must be called in a component's setup. */
  suggestions(fields: () => readonly FormField[]): Readonly<Ref<Suggestions>>;
  /** Reads the managers' current state. Never rejects: failures are part of the result. */
  readKnowledge(signal?: AbortSignal): Promise<LabKnowledge>;
  /** Plans the transfers and reads the contents of the locations. Never rejects, as above. */
  readTransfers(
    transfers: readonly Transfer[],
    endpoints: readonly string[],
    locations: readonly KnownLocation[],
    signal?: AbortSignal,
  ): Promise<Pick<LabKnowledge, 'transfers' | 'contents'>>;
  /**
   * Sends two requests: the definition, then the start. Neither is ever retried. `null`: the user cancelled in the
   * confirmation dialog.
   */
  submit(definition: NewWorkflowDefinition, start: WorkflowStart, signal?: AbortSignal): Promise<Workflow | null>;
  readWorkflow(id: string, signal?: AbortSignal): Promise<Workflow>;
}
