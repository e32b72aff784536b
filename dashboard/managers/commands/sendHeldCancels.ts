/** Sends the cancels that the page holds, each once what it hits on fresh state is what was agreed to. */
import { onScopeDispose, ref, watch } from 'vue';
import { errorText } from '../../../api/errorText.ts';
import { workcellApi } from '../../../api/managers/workcell.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import { workflowPage } from '../../base/objectPages.ts';
import { decideCancel } from '../guards/cancelGuards.ts';
import { useFreshLab } from '../workcell/workcellQueries.ts';
import { hasEnded, workflowState, workflowText } from '../workcell/workflowState.ts';
import { useDeferredCancels, type DeferredCancel } from './heldCancels.ts';
import { useOutcomes } from './outcomes.ts';
import { deferredCancelTexts as texts } from './texts.ts';
import { independent, judgeDecision, same } from './premise.ts';
import { useManagerCommand } from './useCommand.ts';

/**
 * Between two looks, in ms: between two workflows a node is free until the scheduler's next tick, 5 s at most. The watched
 * readings alone come too rarely, and rest while the page is hidden.
 */
const checkIntervalMs = 1500;

/** Must be called in a component's setup. `failure`: why it can't be looked at the moment; `null` when it can. */
export function useSendDeferredCancels() {
  const deferred = useDeferredCancels();
  const outcomes = useOutcomes();
  const readLab = useFreshLab();
  const { act, connection } = useManagerCommand(workcellApi);
  const failure = ref<string | null>(null);

  /** One that is over needs no cancel; one whose node is free, or that works itself, gets it. */
  async function settle(
    cancel: DeferredCancel,
    workflow: Workflow,
    lab: Awaited<ReturnType<typeof readLab>>,
  ): Promise<void> {
    // Called off while it was read.
    if (deferred.of(cancel.id) === null) return;
    if (hasEnded(workflow)) {
      deferred.drop(cancel.id);
      outcomes.begin(texts.what(cancel.name), workflowPage(cancel.id))(
        'failed',
        texts.over(workflowText(workflow, lab.nodes)),
      );
      return;
    }
    if (judgeDecision(decideCancel(workflow, lab), cancel.impacts) !== same) return;
    await act({
      what: texts.what(cancel.name),
      verb: texts.verb,
      target: { kind: 'workflow', id: cancel.id, name: cancel.name },
      to: workflowPage(cancel.id),
      // The lab was read and judged a moment ago, for this.
      premise: independent,
      isCurrent: () => deferred.of(cancel.id) !== null,
      run: () => {
        deferred.drop(cancel.id);
        return connection().commands.cancelWorkflow({ workflow_id: cancel.id });
      },
      interpretAnswer: (answer) =>
        workflowState(answer) === 'cancelled'
          ? texts.cancelled
          : { state: 'unclear', text: texts.unchanged(workflowText(answer, lab.nodes)) },
    });
  }

  async function check(): Promise<void> {
    try {
      const lab = await readLab();
      failure.value = null;
      for (const cancel of deferred.list) {
        const listed = lab.workflows.find(({ workflow_id: id }) => id === cancel.id);
        const workflow = listed ?? (await connection().queries.getWorkflow({ workflow_id: cancel.id }));
        await settle(cancel, workflow, lab);
      }
    } catch (error) {
      // It stays held: the next look tells.
      failure.value = errorText(error);
    }
  }

  useRepeatedly(() => deferred.list.length > 0, check);
  return { failure };
}

/** Runs `look`, which must not fail, while `isDue`, and `checkIntervalMs` after each run, until the component is disposed of. */
function useRepeatedly(isDue: () => boolean, check: () => Promise<void>): void {
  let disposed = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  async function run(): Promise<void> {
    await check();
    timer = isDue() && !disposed ? setTimeout(() => void run(), checkIntervalMs) : null;
  }
  watch(
    isDue,
    (due) => {
      if (due) timer ??= setTimeout(() => void run());
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    disposed = true;
    if (timer !== null) clearTimeout(timer);
  });
}
