/** Data of a node for its card and table row. */
import { naturalOrder, wordFilter } from '../../base/texts.ts';
import type { Node } from '#api/managers/node.ts';
import type { ReadStamp } from '#api/time/time.ts';
import {
  maintenanceAppearance,
  nodeAppearances,
  nodeStates,
  type NodeState,
  type StateAppearance,
} from '#api/states.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { unconfirmedAppearance } from '#api/safetyStop/unconfirmedNodes.ts';
import { workcellTexts as texts } from './texts.ts';
import type { LabSnapshot } from '../../managers/guards/decision.ts';
import type { NodeCommand } from '../../managers/guards/nodeCommandTable.ts';
import { suggestCommand } from '../../managers/guards/nodeGuards.ts';
import { createNodeContext } from '../../managers/guards/nodeContext.ts';
import { type NodeStateStart, nodeAppearance, nodeReason, nodeState } from '../../managers/workcell/nodeState.ts';
import { currentStep, stepName } from '../../managers/workcell/workflowState.ts';

/** Flat, so that unchanged nodes are detected and not rendered again. */
export interface NodeRow {
  readonly name: string;
  readonly state: NodeState;
  /** `Locked, busy`: the state with the other flags that are set. */
  readonly stateText: string;
  /** Whether it needs a person. */
  readonly isInNeed: boolean;
  /** True if the node has not confirmed the current safety stop. */
  readonly isUnconfirmed: boolean;
  /** Whether it executes an action, in any state but `disconnected`. */
  readonly isBusy: boolean;
  /** End of maintenance as text; empty without maintenance. */
  readonly maintenance: string;
  /** Reason of the state as text; empty if the state needs none. */
  readonly reason: string;
  /** The name of the running action; empty if there is none. */
  readonly action: string;
  /** The workflow and step that the node works for, or blocks. */
  readonly work: string;
  readonly workflowId: string;
  /** Start of the work or error, in ms since the epoch; `null` if unknown. */
  readonly since: number | null;
  readonly actions: number | null;
  readonly contact: 'yes' | 'lost' | 'never';
  readonly module: string;
  readonly address: string;
  /** The suggested command. */
  readonly suggestedCommand: NodeCommand | null;
}

/**
 * Returns the number of cards per row, at most `maxColumns`, evenly distributed: five cards as three and two instead of four
 * and one.
 */
export function evenColumns(count: number, maxColumns: number): number {
  if (maxColumns <= 1) return 1;
  const even = Math.ceil(count / Math.ceil(count / maxColumns));
  return Math.max(even || 0, Math.min(3, maxColumns));
}

/** Converts the time stamps of the workcell manager, and looks up since when a node needs attention. */
interface NodeTimes {
  readonly parseStamp: ReadStamp;
  readonly since: NodeStateStart;
  /** The nodes that did not confirm the current safety stop, with the reason as text. */
  readonly unconfirmed?: ReadonlyMap<string, string>;
  /** The nodes that need a person, the most urgent first. */
  readonly inNeed?: readonly string[];
}

function getContact({ status }: Node): NodeRow['contact'] {
  if (status === null) return 'never';
  return status.disconnected === true ? 'lost' : 'yes';
}

export function createNodeRow(
  name: string,
  node: Node,
  workflows: readonly Workflow[],
  { parseStamp, since, unconfirmed, inNeed }: NodeTimes,
  isUnclear: LabSnapshot['isUnclear'] = undefined,
  maintenance = '',
): NodeRow {
  const context = createNodeContext(name, node, workflows, isUnclear);
  const state = nodeState(node);
  const step = context.workflow === null ? null : currentStep(context.workflow);
  const index = context.workflow?.status.current_step_index ?? 0;
  const attentionSince = since(name, node);
  const isBusyWithoutWorkflow = context.workflow === null && node.status?.busy === true;
  return {
    name,
    state,
    stateText: nodeAppearance(node).label,
    isInNeed: inNeed?.includes(name) === true,
    isUnconfirmed: unconfirmed?.has(name) === true,
    isBusy: node.status?.busy === true && state !== 'disconnected',
    maintenance,
    reason: unconfirmed?.get(name) ?? nodeReason(node),
    action: step === null ? '' : stepName(step, index),
    work:
      context.workflow === null
        ? isBusyWithoutWorkflow
          ? context.isWorkUnclear
            ? texts.unclearAction
            : texts.ownAction
          : ''
        : texts.step(index + 1, context.workflow.steps.length, context.workflow.name),
    workflowId: context.workflow?.workflow_id ?? '',
    since: attentionSince ?? (step === null ? null : parseStamp(step.start_time)),
    actions: node.info === null ? null : Object.keys(node.info.actions).length,
    contact: getContact(node),
    module: node.info?.module_name ?? '',
    address: node.node_url ?? '',
    suggestedCommand: suggestCommand(context),
  };
}

/**
 * Returns all nodes: those that need attention first, the others by name, so that positions are stable while all are
 * healthy. Unchanged rows are the same objects as before.
 */
export function createNodeRows(
  nodes: Readonly<Record<string, Node>>,
  workflows: readonly Workflow[],
  nodeTimes: NodeTimes,
  previous: readonly NodeRow[] = [],
  isUnclear: LabSnapshot['isUnclear'] = undefined,
  getMaintenance: (name: string) => string = () => '',
): readonly NodeRow[] {
  const { inNeed = [] } = nodeTimes;
  const urgency = ({ name, isInNeed }: NodeRow): number => (isInNeed ? inNeed.indexOf(name) : inNeed.length);
  const previousByName = new Map(previous.map((row) => [row.name, row]));
  const rows = Object.entries(nodes)
    .map(([name, node]) => {
      const row = createNodeRow(name, node, workflows, nodeTimes, isUnclear, getMaintenance(name));
      const old = previousByName.get(name);
      return old !== undefined && isSameRow(old, row) ? old : row;
    })
    .toSorted((a, b) => urgency(a) - urgency(b) || naturalOrder.compare(a.name, b.name));
  return rows.length === previous.length && rows.every((row, index) => row === previous[index]) ? previous : rows;
}

function isSameRow(a: NodeRow, b: NodeRow): boolean {
  return (Object.keys(a) as (keyof NodeRow)[]).every((key) => a[key] === b[key]);
}

/** Returns `2 ready, 1 busy, 1 in error`, best state first. */
export function describeCounts(rows: readonly NodeRow[]): string {
  const parts = nodeStates.toReversed().flatMap((state) => {
    const total = rows.filter((row) => row.state === state).length;
    return total === 0 ? [] : [`${total} ${texts.counts[state]}`];
  });
  return texts.nodes(rows.length, parts.join(', '));
}

/** Returns the badge text: `Busy: incubate`. */
export function describeBadge({ isUnconfirmed, isBusy, stateText, action, maintenance }: NodeRow): string {
  if (isUnconfirmed) return unconfirmedAppearance.label;
  if (maintenance !== '') return texts.maintenance(maintenanceAppearance.label, maintenance, stateText);
  return isBusy && action !== '' ? `${stateText}: ${action}` : stateText;
}

/** Returns the appearance of the state, or of maintenance. */
export function getAppearance({ isUnconfirmed, state, maintenance }: NodeRow): StateAppearance {
  if (isUnconfirmed) return unconfirmedAppearance;
  return maintenance === '' ? nodeAppearances[state] : maintenanceAppearance;
}

/** Returns the line below the state: the reason, otherwise the work that uses or reserves the node. */
export function describeRow({ state, isBusy, reason, work, workflowId }: NodeRow): string {
  if (reason !== '') return reason;
  // Only a workflow reserves a node that isn't working.
  return workflowId === '' || (isBusy && state !== 'paused') ? work : `reserved by ${work}`;
}

/** Returns the rows of the cards that match the text and, if `onlyAttention`, need attention. */
export function filterRows(rows: readonly NodeRow[], text: string, onlyAttention: boolean): readonly NodeRow[] {
  if (text.trim() === '' && !onlyAttention) return rows;
  const matches = wordFilter(text);
  return rows.filter(
    (row) =>
      (!onlyAttention || row.isInNeed) &&
      matches([row.name, describeBadge(row), row.reason, row.work, row.module].join('\n')),
  );
}
