/**
 * Compares the started workflows with what this page has sent: a browser or a proxy can repeat a request without notice,
 * and each submission has a definition of its own.
 */
import { markRaw, onScopeDispose } from 'vue';
import { pause } from '#api/time/pause.ts';
import type { Client } from '#api/client/client.ts';
import type { workcellApi } from '#api/managers/workcell.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { definePageState } from '../../base/pageState.ts';
import { workflowPage } from '../../base/objectPages.ts';
import { useWorkcell } from '../workcell/workcellQueries.ts';
import { currentStep, hasEnded } from '../workcell/workflowState.ts';
import { useDeferredCancels } from './deferredCancels.ts';
import { useOutcomes } from './outcomes.ts';
import { submissionTexts as texts } from './texts.ts';

type Queries = Pick<Client<typeof workcellApi>, 'getActiveWorkflows' | 'getArchivedWorkflows'>;

/** A proxy repeats a request after its own timeout, often 5 s; a browser at once. Delays of the checks, in ms. */
const checkDelaysMs = [0, 10_000];
/** The newest archived workflows are sufficient: a repetition starts seconds after the first request. */
const archivedCount = 50;

/** The workflows of a definition, the first one first: their IDs contain the time. */
async function findStarted(queries: Queries, definitionId: string): Promise<readonly Workflow[]> {
  const [active, archived] = await Promise.all([
    queries.getActiveWorkflows({}),
    queries.getArchivedWorkflows({ number: archivedCount }),
  ]);
  return Object.values({ ...archived, ...active })
    .filter(({ workflow_definition_id: id }) => id === definitionId)
    .toSorted((a, b) => (a.workflow_id < b.workflow_id ? -1 : 1));
}

/** The checks outlive the form, which closes after the submission, but not the page. */
const usePageLifetime = definePageState(() => {
  const end = new AbortController();
  onScopeDispose(() => end.abort());
  return { end: markRaw(end) };
});

/** Returns a function that checks a submission by its definition, and reports repetitions. Must be called in a setup. */
export function useDuplicateCheck() {
  const { signal } = usePageLifetime().end;
  const outcomes = useOutcomes();
  const deferred = useDeferredCancels();
  const workcell = useWorkcell();
  return async (name: string, definitionId: string): Promise<void> => {
    for (const delayMs of checkDelaysMs) {
      await pause(delayMs, signal);
      if (workcell.value === null || signal.aborted) return;
      const started = await findStarted(workcell.value.queries, definitionId).catch(() => []);
      const second = started.at(-1);
      if (started.length < 2 || second === undefined) continue;
      const { workflow_id: id } = second;
      const cancel = {
        label: 'Cancel the second',
        // Sent when it affects no other workflow: a cancel of a queued one also cancels what its node does for the first.
        run: () => deferred.defer({ id, name, node: currentStep(second)?.node ?? '', impacts: [] }),
      };
      const report = outcomes.begin(`Submit “${name}”`, workflowPage(id), hasEnded(second) ? undefined : cancel);
      return report('unclear', texts.startedTwice(started.length));
    }
  };
}
