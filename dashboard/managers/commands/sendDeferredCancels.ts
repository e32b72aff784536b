/** Sends each deferred cancel of the page once its current impacts don't exceed the confirmed ones. */
import { onScopeDispose, ref, watch } from 'vue';
import { errorText } from '#api/errorText.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { workflowPage } from '../../base/objectPages.ts';
import { decideCancel } from '../guards/cancelGuards.ts';
import { useFreshLab } from '../workcell/workcellQueries.ts';
import { hasEnded, workflowState, workflowText } from '../workcell/workflowState.ts';
import { useDeferredCancels, type DeferredCancel } from './deferredCancels.ts';
import { useOutcomes } from './outcomes.ts';
import { deferredCancelTexts as texts } from './texts.ts';
import { noPremise, evaluateDecision, samePremise } from './premise.ts';
import { useManagerCommand } from './useCommand.ts';

/**
 * The interval between two checks, in ms. Between two workflows a node is free until the scheduler's next tick, 5 s at
 * most; the page's polling alone is too slow and pauses while the page is hidden.
 */
const checkIntervalMs = 1500;

/** Must be called in a component's setup. `failure`: the error of the last check; `null` if it succeeded. */
export function useSendDeferredCancels() {
  const deferred = useDeferredCancels();
  const outcomes = useOutcomes();
  const readLab = useFreshLab();
  const { act, connection } = useManagerCommand(workcellApi);
  const failure = ref<string | null>(null);

  /** Drops the cancel of an ended workflow; otherwise sends it if its impacts don't exceed the confirmed ones. */
  async function processCancel(
    cancel: DeferredCancel,
    workflow: Workflow,
    lab: Awaited<ReturnType<typeof readLab>>,
  ): Promise<void> {
    // The user withdrew the cancel during the read.
    if (deferred.find(cancel.id) === null) return;
    if (hasEnded(workflow)) {
      deferred.remove(cancel.id);
      outcomes.begin(texts.commandText(cancel.name), workflowPage(cancel.id))(
        'notSent',
        `It ended before that (${workflowText(workflow, lab.nodes)}).`,
      );
      return;
    }
    if (evaluateDecision(decideCancel(workflow, lab), cancel.impacts) !== samePremise) return;
    await act({
      commandText: texts.commandText(cancel.name),
      verb: 'Cancel',
      target: { kind: 'workflow', id: cancel.id, name: cancel.name },
      to: workflowPage(cancel.id),
      // The lab was read and evaluated for this command immediately before.
      premise: noPremise,
      isCurrent: () => deferred.find(cancel.id) !== null,
      run: () => {
        deferred.remove(cancel.id);
        return connection().commands.cancelWorkflow({ workflow_id: cancel.id });
      },
      interpretResponse: (response) =>
        workflowState(response) === 'cancelled'
          ? 'Cancelled.'
          : {
              state: 'unclear',
              text: `The workcell manager agreed, but the workflow is still: ${workflowText(response, lab.nodes)}.`,
            },
    });
    // A user who doesn't confirm the manager's address withdraws the cancel.
    deferred.remove(cancel.id);
  }

  async function check(): Promise<void> {
    const failures: string[] = [];
    // A cancel that fails stays deferred until the next check, and does not prevent the others.
    const attempt = (step: () => Promise<void>): Promise<unknown> =>
      step().catch((error: unknown) => failures.push(errorText(error)));
    await attempt(async () => {
      const lab = await readLab();
      for (const cancel of deferred.list)
        await attempt(async () => {
          const listedWorkflow = lab.workflows.find(({ workflow_id: id }) => id === cancel.id);
          const workflow = listedWorkflow ?? (await connection().queries.getWorkflow({ workflow_id: cancel.id }));
          await processCancel(cancel, workflow, lab);
        });
    });
    failure.value = failures[0] ?? null;
  }

  usePeriodicCheck(() => deferred.list.length > 0, check);
  return { failure };
}

/** While `isDue`, runs `check`, which must not throw, every `checkIntervalMs` until the component is unmounted. */
function usePeriodicCheck(isDue: () => boolean, check: () => Promise<void>): void {
  let isDisposed = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  async function run(): Promise<void> {
    await check();
    timer = isDue() && !isDisposed ? setTimeout(() => void run(), checkIntervalMs) : null;
  }
  watch(
    isDue,
    (due) => {
      if (due) timer ??= setTimeout(() => void run());
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    isDisposed = true;
    if (timer !== null) clearTimeout(timer);
  });
}
