/** Returns the steps of all workflows that are read, as one layer that a worker creates. */
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import { recordInvalidRecords, type InvalidRecord } from '../../../../api/client/invalidRecords.ts';
import { type Nodes, workcellApi } from '../../../../api/managers/workcell.ts';
import { managerTitle } from '../../../../api/managers.ts';
import type { Workflow } from '../../../../api/managers/workflow.ts';
import type { Live } from '../../../components/feedback/live.ts';
import { useAddress, useManagerVersion } from '../../../managers/transport/clients.ts';
import type { PageCounts } from '../../../managers/transport/poll/newestPages.ts';
import { usePoll } from '../../../managers/transport/poll/poll.ts';
import { pollingSchedule } from '../../../managers/transport/poll/pollingSchedule.ts';
import { managerQueryKey } from '../../../managers/transport/poll/queryKey.ts';
import { createWorkerReader } from '../../../managers/transport/worker/workerReader.ts';
import { useCurrentWorkflows, useNodes, useWorkcellTime } from '../../../managers/workcell/workcellQueries.ts';
import type { Layer } from '../layer/layer.ts';
import type { ArchiveScope, TimelineAnswer, TimelineQuestion } from './messages.ts';
import { type ExecutingNodes, currentStep, workflowState } from '../../../managers/workcell/workflowState.ts';

/** The numbers of newest archived workflows to read. The last one is the maximum, because the manager has no paging. */
export const timelineCounts: PageCounts = [500, 2000, 5000, 10_000];
/** Count of the frequent poll, for recently ended workflows. */
const newestCount = 50;
const endpoint = 'getArchivedWorkflows';

interface TimelineSteps {
  readonly layer: Readonly<ShallowRef<Layer | null>>;
  /** Returns the text at an index of the layer. */
  readonly texts: (place: number | undefined) => string;
  readonly scope: ComputedRef<ArchiveScope>;
  /** The query of the archive. */
  readonly archive: Live<ArchiveReading>;
  /** The query for recently ended workflows. */
  readonly newest: Live<ArchiveReading>;
}

/** Describes a read; its records are in the layer, and its invalid records are registered for it. */
interface ArchiveReading {
  readonly count: number;
}

const unread: ArchiveScope = { read: 0, requested: 0, since: null, cut: false };

/** Creates the worker that builds the layer; it ends with the page, which aborts `left`. */
function useTimelineReader() {
  const worker = new Worker(new URL('./timelineWorker.ts', import.meta.url), { type: 'module' });
  const reader = createWorkerReader<TimelineQuestion, never, TimelineAnswer>(worker, {
    manager: workcellApi.server,
    endpoint,
    purpose: workcellApi.endpoints[endpoint].purpose,
  });
  const stopped = new AbortController();
  onScopeDispose(() => {
    stopped.abort();
    reader.stop();
  });
  return { reader, left: stopped.signal };
}

/** @param count number of newest archived workflows to read */
export function useSteps(count: Ref<number>): TimelineSteps {
  const { reader, left } = useTimelineReader();
  const address = useAddress('workcell');
  const version = useManagerVersion('workcell');
  const time = useWorkcellTime();
  const layer = shallowRef<Layer | null>(null);
  const scope = shallowRef<ArchiveScope>(unread);
  const table: string[] = [];

  async function requestArchive(
    question: Omit<TimelineQuestion, 'clock' | 'nodes'>,
    signal: AbortSignal,
  ): Promise<readonly InvalidRecord[]> {
    const target = { baseUrl: address.value ?? '', version: version.value };
    const input = { ...question, clock: time.clock.value, nodes: halting.value };
    const { rest, invalid } = await reader.read(target, input, signal);
    table.push(...rest.texts);
    if (rest.layer !== null) layer.value = rest.layer;
    scope.value = rest.scope;
    return invalid;
  }
  const current = useCurrentWorkflows();
  const nodes = useNodes();
  const halting = computed(() => haltingNodes(current.value, nodes.value));
  const part = (name: 'all' | 'newest', stepCount: () => number, interval: number, at: ComputedRef<string | null>) =>
    usePoll<ArchiveReading>({
      who: managerTitle('workcell'),
      key: () => managerQueryKey('workcell', at.value, endpoint, { number: stepCount(), as: `timeline ${name}` }),
      interval,
      read: async (signal) => {
        const reading = { count: stepCount() };
        recordInvalidRecords(
          reading,
          await requestArchive({ archive: { count: stepCount(), part: name }, current: null }, signal),
        );
        return reading;
      },
    });
  const archive = part('all', () => count.value, pollingSchedule.archiveFurtherBack, address);
  const newest = part(
    'newest',
    () => newestCount,
    pollingSchedule.archivedWorkflows,
    computed(() => (layer.value !== null && scope.value.requested > 0 ? address.value : null)),
  );

  let sent: ReadonlyMap<string, Workflow> = new Map();
  watch(
    [current, time.clock, () => JSON.stringify(halting.value)] as const,
    ([workflows]) => {
      const now = new Map(workflows.map((workflow) => [workflow.workflow_id, workflow]));
      const changed = workflows.filter((workflow) => sent.get(workflow.workflow_id) !== workflow);
      const isFewer = [...sent.keys()].some((id) => !now.has(id));
      sent = now;
      // Aborted when the user leaves the page.
      requestArchive({ archive: null, current: { ids: [...now.keys()], changed } }, left).catch(() => undefined);
      if (isFewer) newest.retry();
    },
    { immediate: true },
  );
  return { layer, texts: (place) => table[place ?? 0] ?? '', scope: computed(() => scope.value), archive, newest };
}

/** Excludes actions of running workflows, because these would rebuild the timeline at every step. */
function haltingNodes(workflows: readonly Workflow[], nodes: Nodes): ExecutingNodes {
  const running = workflows.filter((workflow) => workflowState(workflow) === 'running');
  const owned = new Set(running.map((workflow) => currentStep(workflow)?.result?.action_id));
  const halting = Object.entries(nodes).flatMap(([name, { status }]) => {
    const actions = (status?.running_actions ?? []).filter((action) => !owned.has(action));
    if (status?.busy !== true || status.disconnected === true || actions.length === 0) return [];
    return [[name, { status: { busy: true, paused: status.paused, running_actions: actions } }] as const];
  });
  return Object.fromEntries(halting);
}
