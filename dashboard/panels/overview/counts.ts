/** Short text with the counts of nodes and workflows for the heading. */
import type { Nodes } from '#api/managers/workcell.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { nodeStates, type NodeState } from '#api/states.ts';
import { overviewTexts as texts } from './texts.ts';
import { nodeState } from '../../managers/workcell/nodeState.ts';
import { workflowState } from '../../managers/workcell/workflowState.ts';

const orderedStates = new Set<NodeState>(['ready', 'busy', ...nodeStates]);

/** Returns `4 nodes ready and 1 busy, 2 workflows running, 3 queued`; empty for a lab without nodes and workflows. */
export function formatLabCounts(nodes: Nodes, workflows: readonly Workflow[]): string {
  const states = Object.values(nodes).map((node) => nodeState(node));
  const countsByState = [...orderedStates].map(
    (state) => [states.filter((candidate) => candidate === state).length, state] as const,
  );
  const workflowStates = workflows.map((workflow) => workflowState(workflow));
  const openStates = workflowStates.filter((state) => state === 'running' || state === 'queued' || state === 'paused');
  const parts = [];
  if (states.length > 0) parts.push(texts.nodes(countsByState));
  if (openStates.length > 0 || states.length > 0) {
    const count = (state: string) => openStates.filter((candidate) => candidate === state).length;
    parts.push(texts.workflows(count('running'), count('queued'), count('paused')));
  }
  return parts.join(', ');
}
