/**
 * A table of every dialog that confirms a command: what is sent when the dialog is closed during the read, when it is
 * confirmed several times, and when the state has changed.
 */
import { fireEvent, within } from '@testing-library/dom';
import { describe, expect, it, vi } from 'vitest';
import { defineComponent, h, type Component } from 'vue';
import workcellState from '../../api/samples/workcell_state.json' with { type: 'json' };
import { readRecordedCommand } from '../../api/commandRecord.ts';
import type { ManagerKey } from '../../api/managers.ts';
import { sampleExperiment } from '../fixtures/sampleRecords.ts';
import { respondAsManagers, type ManagerRequest } from '../fixtures/managerResponses.ts';
import { click, mountComponent } from '../fixtures/mounted.ts';
import { sampleResource } from '../fixtures/resourceResponses.ts';
import { sampleLocation } from '../fixtures/sampleLocation.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../fixtures/sampleWorkflow.ts';
import { useCommandConfirmation } from '../managers/commands/commandConfirmation.ts';
import { useOutcomes } from '../managers/commands/outcomes.ts';
import { experimentChanges } from '../managers/experiment/experimentState.ts';
import { nodeCommands } from '../managers/guards/nodeCommandTable.ts';
import { useAddress } from '../managers/transport/clients.ts';
import ExperimentControls from '../panels/experiments/page/ExperimentControls.vue';
import { experimentsTexts } from '../panels/experiments/texts.ts';
import LocationPage from '../panels/locations/page/LocationPage.vue';
import Representations from '../panels/locations/page/Representations.vue';
import {
  representationTexts,
  locationsTexts,
  templatesTexts as locationTemplatesTexts,
} from '../panels/locations/texts.ts';
import TemplatePanel from '../panels/locations/templates/TemplatePanel.vue';
import TemplatePage from '../panels/resources/templates/TemplatePage.vue';
import { templateTexts } from '../panels/resources/texts.ts';
import BulkCommandDialog from '../panels/workcells/commands/BulkCommandDialog.vue';
import BulkCommandMenu from '../panels/workcells/commands/BulkCommandMenu.vue';
import CommandBar from '../panels/workcells/commands/CommandBar.vue';
import CommandDialog from '../panels/workcells/commands/CommandDialog.vue';
import { providePageCommands } from '../panels/workcells/commands/pageCommands.ts';
import WorkflowControls from '../panels/workflows/workflow/WorkflowControls.vue';
import { useWorkcellState } from '../managers/workcell/workcellQueries.ts';

const isRead = ({ method, path }: Pick<ManagerRequest, 'method' | 'path'>): boolean =>
  method === 'GET' || path === '/templates/query_all' || path === '/resource/query';

interface Row {
  readonly manager: ManagerKey;
  readonly component: Component;
  readonly props?: Record<string, unknown>;
  readonly path?: string;
  /** The button that opens the dialog. */
  readonly button: string;
  /** The managers' responses to reads. */
  readonly reads: (path: string, isChanged: boolean) => unknown;
  readonly response: unknown;
  /** The path of the one request that is sent. */
  readonly sent: string;
  /** Its record in the lab's event log. */
  readonly record: { readonly command: string; readonly name: string };
}

const location = sampleLocation('bench', { representations: { arm: { x: 1 } }, resource_id: 'L' });
const changedLocation = { ...location, resource_id: 'P9', representations: { arm: { x: 2 } }, description: 'changed' };
const emptyLocation = { ...location, resource_id: null };
const locationReads: Row['reads'] = (path, isChanged) => {
  if (path === '/state' || path === '/workflows/active') return labReads({}, {})(path, false);
  const now = isChanged ? changedLocation : location;
  return path === '/locations' ? [now] : path.startsWith('/location') ? now : [];
};
/** Renders after the workcell has been read. */
const withLoadedWorkcell = (...parts: readonly (readonly [Component, object?])[]): Component =>
  defineComponent(() => {
    providePageCommands();
    const state = useWorkcellState();
    return () => (state.data.value === undefined ? null : parts.map(([part, props]) => h(part, props)));
  });

const pageTexts = locationsTexts.page;
const locationRow = { manager: 'location', reads: locationReads } as const;
const representations = {
  component: withLoadedWorkcell([Representations, { location, blocked: null, readOnly: false }]),
};
const template = { template_name: 'nest', version: '1.0.0' };
const resourceTemplate = { ...sampleResource('T'), template_name: 'tip_rack', version: '1.0.0', default_values: {} };

const labReads =
  (status: object, afterwards: object): Row['reads'] =>
  (path, isChanged) =>
    path === '/state'
      ? {
          ...workcellState,
          workflow_queue: [],
          nodes: { arm: sampleNode(isChanged ? afterwards : status, nodeCommands) },
        }
      : {};
const commandResponse = { success: true, errors: [], data: { x: 3 } };

const running = sampleWorkflow({ steps: [sampleStep({ start_time: '2026-11-21T14:00:00' })] }, { running: true });
const ended = sampleWorkflow({}, { completed: true });
const statusAfter = { pause: 'paused', end: 'completed', fail: 'failed', cancel: 'cancelled', continue: 'in_progress' };

const rows: Readonly<Record<string, Row>> = {
  'detaching a resource': {
    ...locationRow,
    component: LocationPage,
    path: `/locations/${location.location_id}`,
    button: 'Detach',
    response: emptyLocation,
    sent: '/location/bench/detach_resource',
    record: { command: 'detach_resource', name: 'bench' },
  },
  'deleting a location': {
    ...locationRow,
    component: LocationPage,
    path: `/locations/${location.location_id}`,
    button: 'Delete…',
    response: { message: 'deleted' },
    sent: '/location/bench',
    record: { command: 'delete_location', name: 'bench' },
  },
  'removing a representation': {
    ...locationRow,
    ...representations,
    button: representationTexts.remove,
    response: { ...location, representations: {} },
    sent: '/location/bench/remove_representation/arm',
    record: { command: 'remove_representation_for_arm', name: 'bench' },
  },
  'replacing a representation': {
    ...locationRow,
    ...representations,
    button: pageTexts.readPosition,
    response: { ...location, representations: { arm: { x: 3 } } },
    sent: '/location/bench/set_representation/arm',
    record: { command: 'position_for_arm', name: 'bench' },
  },
  'deleting a template of locations': {
    manager: 'location',
    reads: (_path, isChanged) => [isChanged ? { ...template, version: '2.0.0' } : template],
    component: TemplatePanel,
    props: { kind: 'location', template, dependents: [], blocked: null },
    button: locationTemplatesTexts.delete,
    response: { message: 'deleted' },
    sent: '/location_template/nest',
    record: { command: 'delete_template', name: 'nest' },
  },
  'deleting a template of resources': {
    manager: 'resource',
    reads: (path, isChanged) =>
      path === '/templates/query_all' ? [isChanged ? { ...resourceTemplate, version: '2.0.0' } : resourceTemplate] : [],
    component: TemplatePage,
    path: '/resources/templates/tip_rack',
    button: templateTexts.remove,
    response: { message: 'deleted' },
    sent: '/template/tip_rack',
    record: { command: 'delete', name: 'tip_rack' },
  },
  ...Object.fromEntries(
    experimentChanges.map((change): [string, Row] => {
      const experiment = sampleExperiment('E', { status: change === 'continue' ? 'paused' : 'in_progress' });
      return [
        `changing an experiment (${change})`,
        {
          manager: 'experiment',
          reads: (_path, isChanged) => (isChanged ? { ...experiment, status: 'completed' } : experiment),
          component: ExperimentControls,
          props: { experiment, blocked: null, openCount: 0 },
          button: `${experimentsTexts.changes[change].verb}…`,
          response: { ...experiment, status: statusAfter[change] },
          sent: `/experiment/E/${change}`,
          record: {
            command: experimentsTexts.changes[change].verb.toLowerCase().replaceAll(' ', '_'),
            name: 'Salt series · run E',
          },
        },
      ];
    }),
  ),
  'a command to a node': {
    manager: 'workcell',
    reads: labReads({ errored: true }, { errored: true, busy: true }),
    component: withLoadedWorkcell([CommandBar, { name: 'arm' }], [CommandDialog]),
    button: 'Reset…',
    response: commandResponse,
    sent: '/admin/reset/arm',
    record: { command: 'reset', name: 'arm' },
  },
  'a command to all nodes': {
    manager: 'workcell',
    reads: labReads({}, { locked: true }),
    component: withLoadedWorkcell([BulkCommandMenu], [BulkCommandDialog]),
    button: 'Lock all',
    response: commandResponse,
    sent: '/admin/lock/arm',
    record: { command: 'lock', name: 'arm' },
  },
  'cancelling a workflow': {
    manager: 'workcell',
    reads: (path, isChanged) => {
      const now = isChanged ? ended : running;
      if (path === '/state')
        return {
          ...workcellState,
          workflow_queue: isChanged ? [] : [now],
          nodes: { arm: sampleNode({ busy: !isChanged, ready: isChanged }) },
        };
      return path === '/workflows/active' ? (isChanged ? {} : { [now.workflow_id]: now }) : now;
    },
    component: withLoadedWorkcell([WorkflowControls, { workflow: running, stale: false }]),
    button: 'Cancel…',
    response: sampleWorkflow({}, { cancelled: true }),
    sent: `/workflow/${running.workflow_id}/cancel`,
    record: { command: 'cancel', name: running.name },
  },
};

/** Mounts the component, opens its dialog, and blocks every later read until it is released. */
async function openDialog(row: Row) {
  let isChanged = false;
  let isDelayed = false;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let delayedRequests = 0;
  const requests = respondAsManagers({
    ...Object.fromEntries(
      (['workcell', 'experiment', 'location', 'resource'] as const).map((manager) => [
        manager,
        async (request: ManagerRequest) => {
          const { path } = request;
          if (!isRead(request)) return path.includes('/admin/') ? commandResponse : row.response;
          if (isDelayed && manager === row.manager) {
            delayedRequests += 1;
            await released;
          }
          return row.reads(path, isChanged);
        },
      ]),
    ),
    event: ({ body }) => ({ event_timestamp: '2026-11-23T14:00:00', ...(body as object) }),
  });
  let stores:
    { confirmation: ReturnType<typeof useCommandConfirmation>; outcomes: ReturnType<typeof useOutcomes> } | undefined;
  const host = defineComponent(() => {
    stores = { confirmation: useCommandConfirmation(), outcomes: useOutcomes() };
    const address = useAddress(row.manager);
    return () => (address.value === null ? null : h(row.component, row.props));
  });
  // The element that contains the app's drawers.
  const frame = document.createElement('div');
  frame.className = 'frame';
  document.body.append(frame);
  const { page, router } = mountComponent(host);
  if (row.path !== undefined) await router.push(row.path);
  const button = await page.findByRole('button', { name: row.button });
  await vi.waitFor(() => expect(button.getAttribute('aria-disabled')).not.toBe('true'), 5000);
  await click(button);
  const dialog = await page.findByRole('alertdialog', {});
  const [cancelButton, confirm] = within(dialog).getAllByRole('button') as [HTMLElement, HTMLElement];
  isDelayed = true;
  return {
    ...stores!,
    confirm,
    cancelButton,
    page,
    sent: () =>
      requests.filter((request) => !isRead(request) && request.manager === row.manager).map(({ path }) => path),
    change: () => (isChanged = true),
    release,
    waitForRead: () => vi.waitFor(() => expect(delayedRequests).toBeGreaterThan(0)),
    recorded: () =>
      requests
        .filter(({ manager, method }) => manager === 'event' && method !== 'GET')
        .flatMap(({ body }) => readRecordedCommand(body as never)?.record ?? [])
        .filter(({ command }) => row.button !== pageTexts.readPosition || command !== 'get_position'),
  };
}
/** Waits long enough for a response and its follow-up requests. */
const waitForFollowUps = () => new Promise((resolve) => setTimeout(resolve, 150));

describe.each(Object.entries(rows))('the dialog of %s', (_name, row) => {
  it('sends nothing once it is closed, even while the state is read', async () => {
    const { confirm, cancelButton, waitForRead, release, sent, page, confirmation, recorded } = await openDialog(row);
    await click(confirm);
    await waitForRead();
    await click(cancelButton);
    release();
    await waitForFollowUps();
    expect(sent()).toEqual([]);
    expect(recorded()).toEqual([]);
    expect(confirmation.pending).toBeNull();
    await vi.waitFor(() => expect(page.queryByRole('alertdialog')).toBeNull());
  });

  it('sends and records its command once when it is confirmed several times', async () => {
    const { confirm, waitForRead, release, sent, recorded } = await openDialog(row);
    fireEvent.click(confirm);
    fireEvent.click(confirm);
    await waitForRead();
    await click(confirm);
    release();
    await vi.waitFor(() => expect(sent()).toHaveLength(1));
    await waitForFollowUps();
    expect(sent()).toEqual([row.sent]);
    await vi.waitFor(() => expect(recorded()).toHaveLength(1));
    expect(recorded()[0]).toMatchObject({ command: row.record.command, target: { name: row.record.name } });
  });

  it('sends nothing and shows the change when the state has changed', async () => {
    const { confirm, change, release, sent, page, confirmation, outcomes, recorded } = await openDialog(row);
    change();
    release();
    await click(confirm);
    await vi.waitFor(() => {
      const isConfirming = confirmation.pending !== null || page.queryByRole('alert') !== null;
      expect(isConfirming || outcomes.list.some(({ state }) => state === 'notSent')).toBe(true);
    });
    await waitForFollowUps();
    expect(sent()).toEqual([]);
    expect(recorded()).toEqual([]);
  });
});
