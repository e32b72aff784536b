/** The workflows that execute a workflow's transfers, and its parent if it executes a transfer itself. */
import { computed, type ComputedRef } from 'vue';
import type { Workflow } from '#api/managers/workflow.ts';
import {
  findChild,
  isPlanned,
  isTransfer,
  childIdInResult,
  findParent,
  type TransferLink,
  type ParentLink,
} from '#dashboard/managers/workcell/transfers.ts';
import {
  useArchivedWorkflows,
  useLabSnapshot,
  useNewestWorkflows,
} from '#dashboard/managers/workcell/workcellQueries.ts';
import { hasEnded } from '#dashboard/managers/workcell/workflowState.ts';

/** The maximum number of child workflows to read; the last ones are read. */
const maxChildrenRead = 12;
/** The number of newest archived workflows that are searched for the parent of an ended transfer workflow. */
const archivedCount = 50;

export interface Transfers {
  /** By step index. */
  readonly links: ComputedRef<ReadonlyMap<number, TransferLink>>;
  readonly parent: ComputedRef<ParentLink | null>;
  /** IDs of the child workflows named in results, to be read once. */
  readonly namedWorkflows: ComputedRef<readonly string[]>;
}

export function useTransfers(workflow: ComputedRef<Workflow | null>): Transfers {
  const lab = useLabSnapshot();
  const newestWorkflows = useNewestWorkflows();
  const archived = useArchivedWorkflows(() =>
    workflow.value !== null && isPlanned(workflow.value) && hasEnded(workflow.value) ? archivedCount : null,
  );
  const namedChildren = computed(() =>
    (workflow.value?.steps ?? []).flatMap((step, index) => {
      const id = isTransfer(step) ? childIdInResult(step) : null;
      return id === null ? [] : [{ index, id }];
    }),
  );
  const links = computed(() => {
    const linksByStep = new Map<number, TransferLink>();
    for (const { index, id } of namedChildren.value) {
      const child = newestWorkflows.find(id);
      if (child !== null) linksByStep.set(index, { workflow: child });
    }
    const runningChild = workflow.value === null ? null : findChild(workflow.value, lab.value.workflows);
    if (workflow.value !== null && runningChild !== null)
      linksByStep.set(workflow.value.status.current_step_index, runningChild);
    return linksByStep;
  });
  return {
    links,
    parent: computed(() => {
      if (workflow.value === null) return null;
      return findParent(workflow.value, [...lab.value.workflows, ...Object.values(archived.data.value ?? {})]);
    }),
    namedWorkflows: computed(() => namedChildren.value.slice(0 - maxChildrenRead).map(({ id }) => id)),
  };
}
