/** What is known of the lab when a workflow is checked, and who knows it. What isn't known is never made up. */
import type { Ref } from 'vue';
import type { NewWorkflowDefinition } from '../../../../api/managers/workflowDefinition.ts';
import type { NodeInfo, NodeStatus } from '../../../../api/managers/node.ts';
import type { Workflow } from '../../../../api/managers/workflow.ts';
import type { JsonObject, OwnershipInfo } from '../../../../api/client/wire.ts';
import type { FormField } from '../../../components/form/field.ts';
import type { Suggestions } from '../../../components/form/suggestion.ts';
import type { Holding, PlannedTransfer, Transfer } from './ways.ts';

interface KnownLocation {
  readonly name: string;
  readonly id: string;
  /** ID of the resource that records what lies there; null without one. */
  readonly resource: string | null;
  /** The nodes that have a representation of it. */
  readonly representations: readonly string[];
}

/** Whether a manager answered just now; null: it wasn't asked. */
export interface Answering {
  readonly answers: boolean | null;
  /** Why it didn't, in words. */
  readonly reason: string;
}

export interface LabKnowledge {
  /** By name; null where a node hasn't told what it can do. Empty while the workcell manager is silent. */
  readonly nodes: Readonly<Record<string, NodeInfo | null>>;
  readonly statuses: Readonly<Record<string, NodeStatus | null>>;
  readonly locations: readonly KnownLocation[];
  readonly workcell: Answering;
  readonly location: Answering;
  /** Only files need it. */
  readonly data: Answering;
  /** Why the workcell starts no step at all; null when it does. */
  readonly stuck: string | null;
  /** The ways of the definition's transfers by `transferKey`, as far as they were asked for. */
  readonly transfers: Readonly<Record<string, PlannedTransfer>>;
  /** What lies where its steps take from, by the location's name. */
  readonly holds: Readonly<Record<string, Holding>>;
}

/** Before anybody was asked. */
export const nothingKnown: LabKnowledge = {
  nodes: {},
  statuses: {},
  locations: [],
  workcell: { answers: null, reason: '' },
  location: { answers: null, reason: '' },
  data: { answers: null, reason: '' },
  stuck: null,
  transfers: {},
  holds: {},
};

interface SubmitStart {
  readonly values: JsonObject;
  /** By the key of the file parameter. */
  readonly files: Readonly<Record<string, File>>;
  readonly ownership: OwnershipInfo | null;
}

/** What the page needs of the lab. Rejections are `ManagerError`s. */
export interface SubmitLab {
  /** Whether it is known where the managers are. */
  readonly available: Readonly<Ref<boolean>>;
  /** What the fields of the start offer to choose from, as it stands now. Must be called in a component's setup. */
  suggestions(fields: () => readonly FormField[]): Readonly<Ref<Suggestions>>;
  /** Asks the managers now. Never rejects: what doesn't answer is said in the knowledge. */
  knowledge(signal?: AbortSignal): Promise<LabKnowledge>;
  /** Plans the ways, and looks what lies at the locations. Never rejects, as above. */
  transfers(
    transfers: readonly Transfer[],
    sources: readonly string[],
    locations: readonly KnownLocation[],
    signal?: AbortSignal,
  ): Promise<Pick<LabKnowledge, 'transfers' | 'holds'>>;
  /** Two calls: the definition, then the start. Neither is ever repeated. `null`: asked again, the person went back. */
  submit(definition: NewWorkflowDefinition, start: SubmitStart, signal?: AbortSignal): Promise<Workflow | null>;
  workflow(id: string, signal?: AbortSignal): Promise<Workflow>;
}
