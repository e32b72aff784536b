/**
 * Commands that the page sends automatically, to many targets or from the form of an action: nothing is sent if the
 * state has changed since it was shown, and an unexpected response doesn't count as confirmation.
 * `BulkBar.mounted.test.ts` and `ImportPage.mounted.test.ts` cover batches and import rows.
 */
import { fireEvent } from '@testing-library/dom';
import { describe, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import workcellState from '../../api/samples/workcell_state.json' with { type: 'json' };
import type { Workflow } from '../../api/managers/workflow.ts';
import { respondAsManagers, type ManagerRequest } from '../fixtures/managerResponses.ts';
import { runInComponent, mountComponent } from '../fixtures/mounted.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../fixtures/sampleWorkflow.ts';
import { useCommandConfirmation } from '../managers/commands/commandConfirmation.ts';
import { useDeferredCancels, type DeferredCancel } from '../managers/commands/deferredCancels.ts';
import { useOutcomes } from '../managers/commands/outcomes.ts';
import { useSendDeferredCancels } from '../managers/commands/sendDeferredCancels.ts';
import { ownImpact } from '../managers/guards/currentStep.ts';
import { useWorkcellState } from '../managers/workcell/workcellQueries.ts';
import ActionForm from '../panels/workcells/node/ActionForm.vue';
import { providePageCommands } from '../panels/workcells/commands/pageCommands.ts';
import { workcellTexts } from '../panels/workcells/texts.ts';

const action = { name: 'move', description: 'Moves', args: {}, locations: {}, files: {} };
const withAction = (changedAction: object = {}, status: object = {}) => {
  const node = sampleNode(status);
  return { ...node, info: { ...node.info!, actions: { move: { ...action, ...changedAction } } } };
};

/** Mounts a workcell of one node with its workflows. A test can change the contents between reads. */
function stubWorkcell(
  input: { nodes: object; workflows: readonly Workflow[] },
  respond: (request: ManagerRequest) => unknown,
) {
  const now = { ...input };
  const isWrite = ({ method, path }: ManagerRequest) => method !== 'GET' && path !== '/event';
  const requests = respondAsManagers({
    workcell: (request) => {
      if (isWrite(request)) return respond(request);
      if (request.path === '/state')
        return {
          ...workcellState,
          workflow_queue: now.workflows.filter(({ status }) => status.active),
          nodes: now.nodes,
        };
      if (request.path === '/workflows/active')
        return Object.fromEntries(
          now.workflows.filter(({ status }) => !status.terminal).map((workflow) => [workflow.workflow_id, workflow]),
        );
      return now.workflows.find(({ workflow_id: id }) => request.path === `/workflow/${id}`);
    },
    event: ({ body }) => ({ event_timestamp: '2026-11-23T14:00:00', ...(body as object) }),
  });
  return {
    now,
    sent: () =>
      requests.filter((request) => request.manager === 'workcell' && isWrite(request)).map(({ path }) => path),
  };
}

describe('a cancel that is deferred until its node is idle', () => {
  const waiting = sampleWorkflow({ steps: [sampleStep()] }, { queued: true });
  const cancelled = sampleWorkflow({ steps: [sampleStep()] }, { cancelled: true });

  async function deferCancel(
    workflow: Workflow,
    busy: boolean,
    response: Workflow,
    earlierCancels: readonly DeferredCancel[] = [],
  ) {
    const lab = stubWorkcell(
      { nodes: { arm: sampleNode({ busy, ready: !busy }) }, workflows: [workflow] },
      () => response,
    );
    const { result } = runInComponent(() => {
      useSendDeferredCancels();
      return { deferred: useDeferredCancels(), outcomes: useOutcomes(), state: useWorkcellState() };
    });
    await vi.waitFor(() => expect(result.state.data.value).toHaveProperty('nodes.arm'));
    for (const cancel of earlierCancels) result.deferred.defer(cancel);
    result.deferred.defer({ id: workflow.workflow_id, name: workflow.name, node: 'arm', impacts: [ownImpact(3)] });
    return { ...lab, ...result };
  }

  it('is sent once the node is idle and is done when the response shows it', async () => {
    const { sent, outcomes } = await deferCancel(waiting, false, cancelled);
    await vi.waitFor(() => expect(outcomes.list).toMatchObject([{ state: 'done' }]));
    expect(sent()).toEqual([`/workflow/${waiting.workflow_id}/cancel`]);
  });

  it('is unclear when the response shows the workflow as not cancelled', async () => {
    const { outcomes } = await deferCancel(waiting, false, waiting);
    await vi.waitFor(() => expect(outcomes.list).toMatchObject([{ state: 'unclear' }]));
  });

  it('is not sent when the workflow has ended meanwhile', async () => {
    const ended = sampleWorkflow({ steps: [sampleStep()] }, { completed: true });
    const { sent, outcomes, deferred } = await deferCancel(ended, false, cancelled);
    await vi.waitFor(() => expect(outcomes.list).toMatchObject([{ state: 'notSent' }]));
    expect(sent()).toEqual([]);
    expect(deferred.list).toEqual([]);
  });

  it('a deferred cancel is sent although the workflow of an earlier one is unknown', async () => {
    const { sent, deferred } = await deferCancel(waiting, false, cancelled, [
      { id: 'unknown', name: 'Unknown', node: 'arm', impacts: [ownImpact(3)] },
    ]);
    await vi.waitFor(() => expect(sent()).toEqual([`/workflow/${waiting.workflow_id}/cancel`]));
    expect(deferred.list.map(({ id }) => id)).toEqual(['unknown']);
  });
});

describe('a command to all nodes', () => {
  async function openConfirmation(response: unknown) {
    const lab = stubWorkcell({ nodes: { arm: sampleNode() }, workflows: [] }, () => response);
    const { result } = runInComponent(() => ({
      commanding: providePageCommands(),
      confirmation: useCommandConfirmation(),
      outcomes: useOutcomes(),
      state: useWorkcellState(),
    }));
    await vi.waitFor(() => expect(result.state.data.value).toHaveProperty('nodes.arm'));
    result.commanding.requestBulkConfirmation('lock');
    return { ...lab, ...result };
  }

  it('is sent to each node and is unclear after an invalid response', async () => {
    const { commanding, sent, outcomes } = await openConfirmation({ success: 'later', errors: [] });
    await commanding.confirmAll();
    await vi.waitFor(() => expect(outcomes.list).toMatchObject([{ state: 'unclear' }]));
    expect(sent()).toEqual(['/admin/lock/arm']);
  });

  it('a command to eight nodes lists the three that it was not sent to yet', async () => {
    const nodes = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`arm_${index}`, sampleNode()]));
    let respond = (_response: object): void => undefined;
    const response = new Promise<object>((resolve) => (respond = resolve));
    stubWorkcell({ nodes, workflows: [] }, () => response);
    const { result } = runInComponent(() => ({ commanding: providePageCommands(), state: useWorkcellState() }));
    await vi.waitFor(() => expect(result.state.data.value).toHaveProperty('nodes.arm_7'));
    const { toAll } = result.commanding;
    const sending = toAll.send('lock', Object.keys(nodes), []);
    const listStates = () => toAll.reports.value.map(({ state }) => state);
    await vi.waitFor(() => expect(listStates().filter((state) => state === 'running')).toHaveLength(5));
    expect(listStates().filter((state) => state === 'pending')).toHaveLength(3);
    respond({ success: true, errors: [] });
    await sending;
  });

  it('is not sent to a node that is locked meanwhile', async () => {
    const { commanding, sent, now } = await openConfirmation({ success: true, errors: [] });
    now.nodes = { arm: sampleNode({ locked: true }) };
    await commanding.confirmAll();
    expect(commanding.bulk.pending.value?.note).toMatch(/^Not sent/);
    expect(sent()).toEqual([]);
  });
});

describe('the form of an action', () => {
  const name = 'move on arm';
  async function openForm(workflow: object) {
    const lab = stubWorkcell({ nodes: { arm: withAction() }, workflows: [] }, ({ path }) =>
      path === '/workflow' ? workflow : 'D',
    );
    let stores:
      { outcomes: ReturnType<typeof useOutcomes>; confirmation: ReturnType<typeof useCommandConfirmation> } | undefined;
    const host = defineComponent(() => {
      providePageCommands();
      const state = useWorkcellState();
      stores = { outcomes: useOutcomes(), confirmation: useCommandConfirmation() };
      return () => (state.data.value === undefined ? null : h(ActionForm, { node: 'arm', action, sentActions: [] }));
    });
    const { page } = mountComponent(host);
    const button = await page.findByRole('button', { name: workcellTexts.send.send });
    return { ...lab, ...stores!, press: () => fireEvent.submit(button.closest('form')!) };
  }

  it('shows the action as queued when the response contains the workflow', async () => {
    const { press, outcomes, sent } = await openForm(sampleWorkflow({ name }, { queued: true }));
    press();
    await vi.waitFor(() => expect(outcomes.list).toMatchObject([{ state: 'queued' }]));
    expect(sent()).toEqual(['/workflow_definition', '/workflow']);
  });

  it('shows the action as unclear when the response contains another workflow', async () => {
    const { press, outcomes } = await openForm(sampleWorkflow({ name: 'Another' }, { queued: true }));
    press();
    await vi.waitFor(() => expect(outcomes.list).toMatchObject([{ state: 'unclear' }]));
  });

  it('requires a confirmation when the action has changed', async () => {
    const { press, confirmation, sent, now } = await openForm(sampleWorkflow({ name }));
    now.nodes = { arm: withAction({ description: 'Moves another way' }) };
    press();
    await vi.waitFor(() => expect(confirmation.pending?.finding).toMatchObject({ kind: 'changed' }));
    confirmation.respond(false);
    expect(sent()).toEqual([]);
  });

  it('sends nothing to a node that no longer exists', async () => {
    const { press, outcomes, sent, now } = await openForm(sampleWorkflow({ name }));
    now.nodes = {};
    press();
    await vi.waitFor(() => expect(outcomes.list).toMatchObject([{ state: 'notSent' }]));
    expect(sent()).toEqual([]);
  });
});
