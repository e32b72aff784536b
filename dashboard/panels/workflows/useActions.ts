/**
 * From the press of a button to what came of it: what would happen is said, and once it is agreed to, the state is read
 * again and judged again. Only what is still safe and still the same is sent.
 */
import { computed, ref, shallowRef, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import type { Workflow } from '../../../api/workflow.ts';
import { submitPage, workflowPage } from '../../app/objectPages.ts';
import { workflowsTexts } from '../../app/texts/workflows.ts';
import { shortId } from '../../components/shortId.ts';
import { useAct, type Said } from '../../managers/act.ts';
import type { Decision, LabNow, Offer } from '../../managers/guards.ts';
import { startWorkflow, takenFrom } from '../../managers/submission.ts';
import { useCurrentWorkflows, useNodes, useWorkcell } from '../../managers/workcell.ts';
import { workflowState, workflowWords } from '../../managers/workflowState.ts';
import { decide, samePromise, type ActionName } from './decide.ts';

const texts = workflowsTexts.actions;

export interface Asked {
  readonly action: ActionName;
  /** Index from 0, for a retry. */
  readonly step: number;
  readonly offer: Offer;
  /** What changed since it was asked. */
  readonly note: string;
  /** Why it can't be done any more. */
  readonly blocked: string | null;
}

/** @param shown the workflow on screen */
export function useActions(shown: ComputedRef<Workflow | null>) {
  const connection = useWorkcell();
  const nodes = useNodes();
  const workflows = useCurrentWorkflows();
  const act = useAct();
  const router = useRouter();
  const asked = shallowRef<Asked | null>(null);
  const busy = ref(false);

  const lab = computed<LabNow>(() => ({ nodes: nodes.value, workflows: workflows.value }));

  function decision(action: ActionName, step: number): Decision {
    if (shown.value === null || connection.value === null) return { allowed: false, why: texts.noManager };
    return decide(action, shown.value, lab.value, step);
  }

  function ask(action: ActionName, step: number): void {
    const offer = decision(action, step);
    if (offer.allowed) asked.value = { action, step, offer, note: '', blocked: null };
  }

  async function readAgain(id: string): Promise<{ workflow: Workflow; lab: LabNow }> {
    const client = connection.value?.reads;
    if (client === undefined) throw new Error(texts.noManager);
    const [state, active, workflow] = await Promise.all([
      client.getState(),
      client.getActiveWorkflows(),
      client.getWorkflow({ workflow_id: id }),
    ]);
    return { workflow, lab: { nodes: state.nodes, workflows: Object.values(active) } };
  }

  async function confirm(): Promise<void> {
    const agreed = asked.value;
    const id = shown.value?.workflow_id;
    if (agreed === null || id === undefined) return;
    busy.value = true;
    try {
      const fresh = await readAgain(id);
      if (asked.value !== agreed) return;
      const now = decide(agreed.action, fresh.workflow, fresh.lab, agreed.step);
      if (!now.allowed) asked.value = { ...agreed, note: '', blocked: texts.notSafe(now.why) };
      else if (!samePromise(agreed.offer, now)) asked.value = { ...agreed, offer: now, note: texts.changed };
      else {
        asked.value = null;
        void perform(agreed, fresh.workflow);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (asked.value === agreed) asked.value = { ...agreed, note: texts.unread(reason) };
    } finally {
      busy.value = false;
    }
  }

  async function perform({ action, step, offer }: Asked, workflow: Workflow): Promise<void> {
    const id = workflow.workflow_id;
    if (action === 'resubmit' && (offer as { readonly submitPage?: boolean }).submitPage === true) {
      await router.push(submitPage(id));
      return;
    }
    await act({
      what: texts.what(texts.names[action], workflow.name),
      to: workflowPage(id),
      manager: 'workcell',
      run: () => send(action, workflow, step),
      said: (answer) => saidOf(action, answer),
      afterwards: () => (shown.value?.workflow_id === id ? texts.willBe(workflowWords(shown.value)) : ''),
    });
  }

  function send(action: ActionName, workflow: Workflow, index: number): Promise<Workflow> {
    const client = connection.value?.acts;
    if (client === undefined) throw new Error(texts.noManager);
    const { workflow_id } = workflow;
    switch (action) {
      case 'pause':
        return client.pauseWorkflow({ workflow_id });
      case 'resume':
        return client.resumeWorkflow({ workflow_id });
      case 'cancel':
        return client.cancelWorkflow({ workflow_id });
      case 'retry':
        return client.retryWorkflow({ workflow_id, index });
      case 'resubmit': {
        const { values, ownership } = takenFrom(workflow);
        return startWorkflow(client, workflow.workflow_definition_id ?? '', { values, ownership });
      }
    }
  }

  return { asked, busy, decision, ask, confirm };
}

/** What an answer with status 200 means: the manager may agree and change nothing. */
export function saidOf(action: ActionName, answer: Workflow): Said | string {
  const state = workflowState(answer);
  const unchanged: Said = { state: 'unclear', words: texts.unchanged(workflowWords(answer)) };
  switch (action) {
    case 'pause':
      return state === 'paused' ? texts.paused : unchanged;
    case 'resume':
      return state === 'paused' ? unchanged : texts.resumed;
    case 'cancel':
      return state === 'cancelled' ? texts.cancelled : unchanged;
    case 'retry':
      return answer.status.terminal ? unchanged : texts.retried;
    case 'resubmit':
      return {
        state: 'done',
        words: texts.submitted(shortId(answer.workflow_id)),
        to: workflowPage(answer.workflow_id),
      };
  }
}
