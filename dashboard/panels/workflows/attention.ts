/** Workflows that need attention: failures of the last day. */
import type { Workflow } from '#api/managers/workflow.ts';
import type { LostWorkflows } from '#api/lab/lab.ts';
import { workflowAppearances } from '#api/states.ts';
import { workflowPage } from '../../base/objectPages.ts';
import { findReportedByParent } from '../../managers/workcell/transfers.ts';
import { failureText, workflowState, workflowText } from '../../managers/workcell/workflowState.ts';
import type { AttentionItem } from '../panel.ts';
import { computed, type ComputedRef } from 'vue';
import { useClock } from '../../base/clock.ts';
import { useLabHistory } from '../../managers/lab/labQueries.ts';
import { useArchivedWorkflows, useCurrentWorkflows, useWorkcellTime } from '../../managers/workcell/workcellQueries.ts';

/** Attention texts of workflows, separate from the panel's because the Overview needs them without the panel. */
const attentionTexts = {
  openWorkflow: 'Open workflow',
  openWorkflows: 'Open workflows',
  lost: (count: number) => (count === 1 ? 'One active workflow' : `${count} active workflows`),
  lostReason: 'lost: unknown to the workcell manager since its restart',
  failed: (text: string, reason: string) => (reason === '' ? text : `${text}: ${reason}`),
} as const;

export interface WorkflowAttentionInput {
  /** Queued, running and paused workflows. */
  readonly current: readonly Workflow[];
  /** The newest workflows of the archive. */
  readonly archived: readonly Workflow[];
  readonly lost?: LostWorkflows | undefined;
  /** ms since the epoch. */
  readonly now: number;
  /** Converts a zoneless timestamp of the workcell manager to ms since the epoch. */
  readonly parseStamp: (stamp: string | null | undefined) => number | null;
}

const dayMs = 86_400_000;

/** Returns each failure once: a failed transfer workflow is reported with its parent workflow. */
export function workflowAttention(input: WorkflowAttentionInput): readonly AttentionItem[] {
  const { current, archived, lost, now, parseStamp } = input;
  const losses = lost === undefined ? [] : [toLossItem(lost)];
  const failed = new Map(
    [...current, ...archived]
      .filter((workflow) => workflowState(workflow) === 'failed')
      .map((workflow) => [workflow.workflow_id, workflow] as const),
  );
  const reported = findReportedByParent(failed.values());
  const failures = [...failed.values()].flatMap((workflow): AttentionItem[] => {
    const endedAt = parseStamp(workflow.end_time);
    if (endedAt === null || now - endedAt > dayMs || reported.has(workflow.workflow_id)) return [];
    return [
      {
        // A workflow that is retried and fails again has a new failure, with a new key.
        key: `workflow ${workflow.workflow_id} ${workflow.end_time ?? ''}`,
        appearance: workflowAppearances.failed,
        name: workflow.name,
        reason: attentionTexts.failed(workflowText(workflow, {}), failureText(workflow)),
        since: endedAt,
        past: true,
        action: { label: attentionTexts.openWorkflow, to: workflowPage(workflow.workflow_id) },
        hideable: true,
      },
    ];
  });
  return [...losses, ...failures];
}

function toLossItem({ missed, total }: LostWorkflows): AttentionItem {
  return {
    key: `lost workflows ${missed}`,
    appearance: workflowAppearances.failed,
    name: attentionTexts.lost(total),
    reason: attentionTexts.lostReason,
    since: Date.parse(missed),
    past: true,
    action: { label: attentionTexts.openWorkflows, to: '/workflows' },
    hideable: true,
  };
}

/** The number of archived workflows to search, enough for the last day of a busy lab. */
const archivedCount = 50;

/** Returns the workflows that need attention, from the latest responses. */
export function useWorkflowAttention(): ComputedRef<readonly AttentionItem[]> {
  const current = useCurrentWorkflows();
  const archived = useArchivedWorkflows(archivedCount);
  const history = useLabHistory();
  const time = useWorkcellTime();
  const clock = useClock();
  return computed(() =>
    workflowAttention({
      current: current.value,
      archived: Object.values(archived.data.value ?? {}),
      lost: history.data.value?.activity?.lost_workflows,
      now: clock.value,
      parseStamp: time.parseStamp,
    }),
  );
}
