/**
 * Actions on a workflow, from click to result: a dialog shows the effects; after confirmation the state is read and
 * evaluated again. Only safe actions whose effects are no worse than confirmed are sent.
 */
import { ref, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import { workcellApi, type Nodes } from '#api/managers/workcell.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { submitPage, workflowPage } from '../../base/objectPages.ts';
import { workflowsTexts } from './texts.ts';
import { useDeferredCancels } from '../../managers/commands/deferredCancels.ts';
import {
  closeWithObject,
  useConfirmedCommand,
  type Confirmation,
} from '../../managers/commands/useConfirmedCommand.ts';
import { evaluateDecision, samePremise, type Premise } from '../../managers/commands/premise.ts';
import { type CommandResult } from '../../managers/commands/commandResult.ts';
import type { Connection } from '../../managers/transport/clients.ts';
import { useManagerCommand } from '../../managers/commands/useCommand.ts';
import { decideResubmit } from '../../managers/guards/guards.ts';
import type { Decision, LabSnapshot } from '../../managers/guards/decision.ts';
import { workflowInSnapshot } from '../../managers/workcell/labSnapshot.ts';
import { useDuplicateCheck } from '../../managers/commands/duplicateCheck.ts';
import { evaluateRepetition, submitOnce } from '../../managers/commands/recentSubmissions.ts';
import { extractResubmissionInputs, submitWorkflow } from '../../managers/commands/submission.ts';
import { useFastPolling } from '../../managers/workcell/fastPolling.ts';
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
  workflowText,
} from '../../managers/workcell/workflowState.ts';
import { decideAction, type ActionName } from './workflowActions.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

const texts = workflowsTexts.actions;

interface WorkflowActionRequest {
  readonly action: ActionName;
  /** Index from 0, for a retry. */
  readonly step: number;
}

interface FreshState {
  readonly workflow: Workflow;
  readonly lab: LabSnapshot;
}

/** Premise of an action: the workflow and its lab, read together. */
function useActionPremise(connection: () => Connection<typeof workcellApi>) {
  const readLab = useFreshLab();
  async function readFresh(id: string): Promise<FreshState> {
    const { queries } = connection();
    const [fresh, workflow] = await Promise.all([readLab(), queries.getWorkflow({ workflow_id: id })]);
    const listedWorkflow = fresh.workflows.find((candidate) => candidate.workflow_id === id);
    // The separate read may show that it has ended or paused; otherwise it is evaluated by the state that was read with
    // the nodes.
    const newestWorkflow =
      listedWorkflow === undefined || hasEnded(workflow) || workflow.status.paused ? workflow : listedWorkflow;
    return { workflow: newestWorkflow, lab: fresh };
  }

  return (id: string, { action, step, impacts }: Confirmation<WorkflowActionRequest>): Premise<FreshState> => {
    return {
      read: () => readFresh(id),
      evaluate: ({ workflow, lab: fresh }) => {
        const evaluation = evaluateDecision(decideAction(action, workflow, fresh, step), impacts);
        return evaluation === samePremise && action === 'resubmit'
          ? evaluateRepetition(workflow.name, resubmissionKey(id))
          : evaluation;
      },
      missing: texts.lost,
    };
  };
}

/** Polls at a short interval until the workflow's status or the list of workflows changes; submitting again adds one. */
function usePollWorkflow() {
  const pollFast = useFastPolling();
  const newest = useNewestWorkflows();
  const current = useCurrentWorkflows();
  return (id: string) =>
    pollFast(() => stringifyExactJson([newest.find(id)?.status, current.value.map(({ workflow_id }) => workflow_id)]));
}

/** Returns whether the action sends no request yet: it opens the submit page, or defers the cancel. */
function isLocal(action: ActionName, workflow: Workflow): action is 'cancelWhenFree' {
  return action === 'cancelWhenFree' || (action === 'resubmit' && decideResubmit(workflow).needsSubmitPage);
}

function sendAction(
  client: Connection<typeof workcellApi>['commands'],
  action: Exclude<ActionName, 'cancelWhenFree'>,
  workflow: Workflow,
  index: number,
  checkDuplicates: ReturnType<typeof useDuplicateCheck>,
): Promise<Workflow> {
  const { workflow_id, name } = workflow;
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
      const { definition, values, ownership } = extractResubmissionInputs(workflow);
      if (definition === null) throw new Error(texts.lost);
      // With a definition of its own, so that a repeated request is noticed.
      const submit = () =>
        submitWorkflow(client, definition, { values, ownership }, undefined, (id) => void checkDuplicates(name, id));
      return submitOnce(resubmissionKey(workflow_id), submit);
    }
  }
}

/** Opens the submit page, or defers the cancel. */
function useLocalActions() {
  const deferred = useDeferredCancels();
  const router = useRouter();
  return ({ action, impacts }: Confirmation<WorkflowActionRequest>, workflow: Workflow): void => {
    const { workflow_id: id, name } = workflow;
    if (action === 'resubmit') void router.push(submitPage(id));
    else deferred.defer({ id, name, node: currentStep(workflow)?.node ?? '', impacts });
  };
}

/** @param subject the workflow that the actions apply to */
export function useActions(subject: ComputedRef<Workflow | null>) {
  const [lab, state] = [useLabSnapshot(), useWorkcellState()];
  const { act, connection } = useManagerCommand(workcellApi);
  const [workcell, deferred, checkDuplicates] = [useWorkcell(), useDeferredCancels(), useDuplicateCheck()];
  const createPremise = useActionPremise(connection);
  const pollWorkflow = usePollWorkflow();
  const performLocally = useLocalActions();
  const confirmedCommand = useConfirmedCommand<WorkflowActionRequest>(({ action, step }) => decideFor(action, step));
  const { pending, busy, current } = confirmedCommand;
  const sending = ref<ActionName | null>(null);
  closeWithObject(pending, () => subject.value?.workflow_id);

  function decideFor(action: ActionName, step: number): Decision {
    if (subject.value === null || workcell.value === null) return { allowed: false, reason: texts.noManager };
    return decideAction(action, workflowInSnapshot(subject.value, state.data.value), lab.value, step);
  }

  const describeCommand = (action: ActionName): string => `${texts.names[action]} “${subject.value?.name ?? ''}”`;

  async function confirmAction(): Promise<void> {
    const [confirmed, workflow] = [pending.value, subject.value];
    if (confirmed === null || workflow === null) return;
    const { action, step } = confirmed;
    const { workflow_id: id, name } = workflow;
    const commandText = describeCommand(action);
    const premise = createPremise(id, confirmed);
    if (isLocal(action, workflow))
      return confirmedCommand.confirmLocalAction(commandText, premise, (confirmation, now) =>
        performLocally(confirmation, now?.workflow ?? workflow),
      );
    await confirmedCommand.confirm(async (_confirmed, { onSend, ...request }) => {
      await act({
        ...request,
        commandText,
        verb: texts.names[action],
        target: { kind: 'workflow', id, name },
        to: workflowPage(id),
        premise,
        run: (now) => {
          onSend();
          sending.value = action;
          // Cancelling now replaces a deferred cancel.
          if (action === 'cancelNow' || action === 'cancel') deferred.remove(id);
          return sendAction(connection().commands, action, now?.workflow ?? workflow, step, checkDuplicates);
        },
        interpretResponse: (response) => interpretAction(action, response, lab.value.nodes),
        onAccepted: pollWorkflow(id),
        describeState: () =>
          subject.value?.workflow_id === id ? `“${workflowText(subject.value, lab.value.nodes)}”` : '',
      });
      if (sending.value === action) sending.value = null;
    });
  }

  return {
    pending,
    dialogState: current,
    busy,
    sending,
    decide: decideFor,
    requestConfirmation: (action: ActionName, step: number) =>
      confirmedCommand.requestConfirmation(describeCommand(action), { action, step }),
    confirm: confirmAction,
  };
}

const resubmissionKey = (id: string): string => `resubmission of ${id}`;

/**
 * Interprets a response with status 200, because the manager may accept a command without a change.
 * @param nodes latest nodes: one may still execute a cancelled or paused workflow
 */
export function interpretAction(
  action: Exclude<ActionName, 'cancelWhenFree'>,
  response: Workflow,
  nodes: Nodes,
): CommandResult | string {
  const state = workflowState(response);
  const message = workflowText(response, nodes);
  const unchanged: CommandResult = {
    state: 'unclear',
    text: `The workcell manager accepted the command, but the workflow is still: ${message}.`,
  };
  const confirmDone = (text: string): CommandResult | string =>
    finishingNode(response, nodes) === null ? text : { state: 'queued', text: `${message}.` };
  switch (action) {
    case 'pause':
      return state === 'paused' ? confirmDone(texts.paused) : unchanged;
    case 'resume':
      return state === 'paused' ? unchanged : { state: 'queued', text: 'Resumed: it is in the queue again.' };
    case 'cancel':
    case 'cancelNow':
      return state === 'cancelled' ? confirmDone(texts.cancelled) : unchanged;
    case 'retry':
      return response.status.terminal ? unchanged : { state: 'queued', text: 'In the queue again.' };
    case 'resubmit':
      return {
        state: 'queued',
        text: `Submitted “${response.name}” once more.`,
        to: workflowPage(response.workflow_id),
      };
  }
}
