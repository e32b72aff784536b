/**
 * From the press of a button to what came of it: what would happen is said, and once it is agreed to, the state is read
 * again and judged again. Only what is still safe and no worse than what was agreed to is sent.
 */
import { notSentTexts } from '../../managers/commands/texts.ts';
import { computed, ref, shallowRef, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import type { Nodes } from '../../../api/managers/workcell.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import { submitPage, workflowPage } from '../../base/objectPages.ts';
import { workflowsTexts } from './texts.ts';
import { useHeldCancels } from '../../managers/commands/heldCancels.ts';
import { useOutcomes } from '../../managers/commands/outcomes.ts';
import { useCommandQuestion } from '../../managers/commands/commandQuestion.ts';
import { checkPremise } from '../../managers/commands/performCommand.ts';
import { same, type Premise } from '../../managers/commands/premise.ts';
import { type CommandResult } from '../../managers/commands/commandResult.ts';
import { useCommand, type OwnReask } from '../../managers/commands/useCommand.ts';
import { isWorse, type Hit } from '../../managers/guards/consequence.ts';
import { decideResubmit } from '../../managers/guards/guards.ts';
import type { Decision, LabSnapshot, Offer } from '../../managers/guards/decision.ts';
import { asInSnapshot } from '../../managers/workcell/labSnapshot.ts';
import { judgeRepetition, submitOnce } from '../../managers/commands/recentSubmissions.ts';
import { startWorkflow, takenFrom } from '../../managers/commands/submission.ts';
import { useFollowUp } from '../../managers/workcell/useFollowUp.ts';
import {
  useCurrentWorkflows,
  useFreshLab,
  useLabSnapshot,
  useNewestWorkflows,
  useWorkcell,
  useWorkcellState,
} from '../../managers/workcell/workcellQueries.ts';
import {
  currentStep,
  finishingNode,
  hasEnded,
  workflowState,
  workflowWords,
} from '../../managers/workcell/workflowState.ts';
import { decide, type ActionName } from './decide.ts';

const texts = workflowsTexts.actions;

export interface Asked {
  readonly action: ActionName;
  /** Index from 0, for a retry. */
  readonly step: number;
  /** What has been said of it: what is agreed to, while its sentences go on with the workflow. */
  readonly hits: readonly Hit[];
  /** What changed since it was asked. */
  readonly note: string;
}

/** @param shown the workflow on screen */
export function useActions(shown: ComputedRef<Workflow | null>) {
  const connection = useWorkcell();
  const lab = useLabSnapshot();
  const state = useWorkcellState();
  const readLab = useFreshLab();
  const act = useCommand();
  const question = useCommandQuestion();
  const outcomes = useOutcomes();
  const held = useHeldCancels();
  const followUp = useFollowUp();
  const newest = useNewestWorkflows();
  const current = useCurrentWorkflows();
  const router = useRouter();
  const asked = shallowRef<Asked | null>(null);
  const busy = ref(false);
  /** Which action is on its way to the manager. */
  const sending = ref<ActionName | null>(null);

  function decision(action: ActionName, step: number): Decision {
    if (shown.value === null || connection.value === null) return { allowed: false, why: texts.noManager };
    return decide(action, asInSnapshot(shown.value, state.data.value), lab.value, step);
  }

  function ask(action: ActionName, step: number): void {
    const offer = decision(action, step);
    if (!offer.allowed) {
      // It was offered a moment ago.
      const what = texts.what(texts.names[action], shown.value?.name ?? '');
      outcomes.begin(what)('failed', notSentTexts.refused(offer.why));
      return;
    }
    asked.value = { action, step, hits: offer.hits, note: '' };
    last = offer;
  }

  /** What is asked, as it stands now; what was offered last stays readable while it can't be done. */
  let last: Offer | null = null;
  const live = computed<{ readonly offer: Offer | null; readonly blocked: string | null }>(() => {
    const what = asked.value;
    if (what === null) return { offer: last, blocked: null };
    const now = decision(what.action, what.step);
    if (now.allowed) last = now;
    // What passes by itself is waited for once it is agreed to.
    return { offer: last, blocked: now.allowed || now.passing ? null : now.why };
  });

  async function readAgain(id: string): Promise<{ workflow: Workflow; lab: LabSnapshot }> {
    const client = connection.value?.queries;
    if (client === undefined) throw new Error(texts.noManager);
    const [fresh, workflow] = await Promise.all([readLab(), client.getWorkflow({ workflow_id: id })]);
    const known = fresh.workflows.find((each) => each.workflow_id === id);
    // Read by itself it may have ended since; while it hasn't, it is judged as it was when the nodes were read.
    const judged = known === undefined || hasEnded(workflow) || workflow.status.paused ? workflow : known;
    return { workflow: judged, lab: fresh };
  }

  interface Fresh {
    readonly workflow: Workflow;
    readonly lab: LabSnapshot;
  }
  /** `onChanged`: what it would hit now, where that is worse. */
  function premiseOf(
    id: string,
    { action, step, hits }: Asked,
    onChanged: (hits: readonly Hit[]) => void,
  ): Premise<Fresh> {
    return {
      read: () => readAgain(id),
      judge: ({ workflow, lab: fresh }) => {
        const now = decide(action, workflow, fresh, step);
        if (!now.allowed) return { is: now.passing ? 'passing' : 'refused', why: now.why };
        if (!isWorse(hits, now.hits))
          return action === 'resubmit' ? judgeRepetition(workflow.name, resubmission(id)) : same;
        onChanged(now.hits);
        return { is: 'changed', differences: now.effects };
      },
      missing: texts.lost,
    };
  }

  async function confirm(): Promise<void> {
    const agreed = asked.value;
    const workflow = shown.value;
    if (agreed === null || workflow === null || busy.value) return;
    const { workflow_id: id, name } = workflow;
    const { action, step } = agreed;
    let worse: readonly Hit[] = [];
    const premise = premiseOf(id, agreed, (hits) => (worse = hits));
    const isWanted = (): boolean => asked.value === agreed;
    // The dialog shows what it would do now.
    const reask: OwnReask = (doubt, common) => {
      // Only what it hits is shown in the dialog itself.
      if (doubt.is === 'unread' || doubt.title !== undefined) return common();
      asked.value = { ...agreed, hits: [...agreed.hits, ...worse], note: notSentTexts.changed };
      return false;
    };
    busy.value = true;
    try {
      if (isLocal(action, workflow)) {
        const what = texts.what(texts.names[action], name);
        const checked = await checkPremise(premise, (doubt) => reask(doubt, () => question.ask(what, doubt)), isWanted);
        if (checked.go) doHere(agreed, checked.now?.workflow ?? workflow);
        else if (checked.refusal !== null) asked.value = { ...agreed, note: notSentTexts.notSafe(checked.refusal) };
        return;
      }
      await act({
        what: texts.what(texts.names[action], name),
        verb: texts.names[action],
        target: { kind: 'workflow', id, name },
        to: workflowPage(id),
        manager: 'workcell',
        premise,
        reask,
        isWanted,
        run: (now) => {
          asked.value = null;
          busy.value = false;
          sending.value = action;
          // Who cancels now has no use for the other.
          if (action === 'cancelNow' || action === 'cancel') held.drop(id);
          return send(action, now?.workflow ?? workflow, step);
        },
        said: (answer) => resultOf(action, answer, lab.value.nodes),
        follow: followUp(() => shownOf(id)),
        afterwards: () =>
          shown.value?.workflow_id === id ? texts.willBe(workflowWords(shown.value, lab.value.nodes)) : '',
      });
      // It was refused: the outcome gives the reason.
      if (isWanted()) asked.value = null;
    } finally {
      busy.value = false;
      if (sending.value === action) sending.value = null;
    }
  }

  /** What sends nothing to a manager yet: it opens the submit page, or is held by this page. */
  function isLocal(action: ActionName, workflow: Workflow): action is 'cancelWhenFree' {
    return action === 'cancelWhenFree' || (action === 'resubmit' && decideResubmit(workflow).submitPage);
  }
  function doHere({ action, hits }: Asked, workflow: Workflow): void {
    const { workflow_id: id, name } = workflow;
    asked.value = null;
    if (action === 'resubmit') void router.push(submitPage(id));
    else held.hold({ id, name, node: currentStep(workflow)?.node ?? '', hits });
  }

  /** The workflow's status, and which others there are: a new one comes of submitting again. */
  function shownOf(id: string): string {
    return JSON.stringify([newest.of(id)?.status, current.value.map(({ workflow_id }) => workflow_id)]);
  }

  function send(action: Exclude<ActionName, 'cancelWhenFree'>, workflow: Workflow, index: number): Promise<Workflow> {
    const client = connection.value?.commands;
    if (client === undefined) throw new Error(texts.noManager);
    const { workflow_id } = workflow;
    switch (action) {
      case 'pause':
        return client.pauseWorkflow({ workflow_id });
      case 'resume':
        return client.resumeWorkflow({ workflow_id });
      case 'cancel':
      case 'cancelNow':
        return client.cancelWorkflow({ workflow_id });
      case 'retry':
        return client.retryWorkflow({ workflow_id, index });
      case 'resubmit': {
        const { values, ownership } = takenFrom(workflow);
        const start = () => startWorkflow(client, workflow.workflow_definition_id ?? '', { values, ownership });
        return submitOnce(resubmission(workflow_id), start);
      }
    }
  }

  return { asked, live, busy, sending, decision, ask, confirm };
}

const resubmission = (id: string): string => `resubmission of ${id}`;

/**
 * What an answer with status 200 means: the manager may agree and change nothing.
 * @param nodes as read last: a cancelled or paused workflow may still be executed by one
 */
export function resultOf(
  action: Exclude<ActionName, 'cancelWhenFree'>,
  answer: Workflow,
  nodes: Nodes,
): CommandResult | string {
  const state = workflowState(answer);
  const words = workflowWords(answer, nodes);
  const unchanged: CommandResult = { state: 'unclear', words: texts.unchanged(words) };
  const done = (text: string): CommandResult | string =>
    finishingNode(answer, nodes) === null ? text : { state: 'queued', words: texts.finishing(words) };
  switch (action) {
    case 'pause':
      return state === 'paused' ? done(texts.paused) : unchanged;
    case 'resume':
      return state === 'paused' ? unchanged : { state: 'queued', words: texts.resumed };
    case 'cancel':
    case 'cancelNow':
      return state === 'cancelled' ? done(texts.cancelled) : unchanged;
    case 'retry':
      return answer.status.terminal ? unchanged : { state: 'queued', words: texts.retried };
    case 'resubmit':
      return {
        state: 'queued',
        words: texts.submitted(answer.name),
        to: workflowPage(answer.workflow_id),
      };
  }
}
