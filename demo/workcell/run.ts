/** Workflows as the workcell manager stores them; times are in milliseconds here. */
import type { StepFields, StepParameters } from '../../api/managers/workflowDefinition.ts';
import type { ActionResult, ActionStatus } from '../../api/managers/action.ts';
import type { Condition } from '../../api/resourceCondition.ts';
import type { JsonObject, OwnershipInfo } from '../../api/client/wire.ts';

interface JsonInput {
  readonly key: string;
  readonly description: string | null;
  readonly parameter_type: 'json_input';
  readonly default: unknown;
}

interface FileInput {
  readonly key: string;
  readonly description: string | null;
  readonly parameter_type: 'file_input';
}

interface FeedForward {
  readonly key: string;
  readonly description: string | null;
  readonly parameter_type: 'feed_forward_json' | 'feed_forward_file';
  readonly step: number | string;
  readonly label: string | null;
  readonly data_type: string;
}

export interface Parameters {
  readonly json_inputs: readonly JsonInput[];
  readonly file_inputs: readonly FileInput[];
  readonly feed_forward: readonly FeedForward[];
}

export interface StepDefinition extends StepFields {
  readonly conditions: readonly Condition[];
  readonly data_labels: Readonly<Record<string, string>>;
  readonly use_parameters: StepParameters | null;
}

export interface Definition {
  readonly name: string;
  readonly workflow_definition_id: string;
  readonly definition_metadata: JsonObject;
  readonly parameters: Parameters;
  readonly steps: readonly StepDefinition[];
}

/** A step of a workflow: its filled definition and its status. */
export interface Step {
  /** The filled definition, which replaces the original fields. */
  filled: StepDefinition;
  readonly id: string;
  status: ActionStatus;
  filePaths: Record<string, string>;
  result: ActionResult | null;
  readonly history: ActionResult[];
  lastUpdate: number | null;
  started: number | null;
  ended: number | null;
  /** Milliseconds; set only for a cancelled step. */
  duration: number | null;
}

interface Flags {
  paused: boolean;
  completed: boolean;
  failed: boolean;
  cancelled: boolean;
  running: boolean;
  hasStarted: boolean;
}

export const noFlags: Readonly<Flags> = {
  paused: false,
  completed: false,
  failed: false,
  cancelled: false,
  running: false,
  hasStarted: false,
};

export interface Run {
  readonly id: string;
  readonly definition: Definition;
  readonly steps: readonly Step[];
  readonly ownership: OwnershipInfo;
  readonly values: JsonObject;
  readonly filePaths: Record<string, string>;
  readonly fileIds: Record<string, string>;
  readonly flags: Flags;
  index: number;
  scheduler: { ready: boolean; priority: number; reasons: readonly string[] };
  readonly submitted: number;
  started: number | null;
  ended: number | null;
}

export const isTerminal = ({ flags }: Run) => flags.completed || flags.failed || flags.cancelled;

/** Returns whether the workflow has neither ended nor paused. */
export const isActive = (run: Run) => !isTerminal(run) && !run.flags.paused;

export function newStep(definition: StepDefinition, id: string): Step {
  return {
    filled: definition,
    id,
    status: 'not_started',
    filePaths: {},
    result: null,
    history: [],
    lastUpdate: null,
    started: null,
    ended: null,
    duration: null,
  };
}
