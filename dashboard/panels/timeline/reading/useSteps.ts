/** The steps of all loaded workflows, as one layer that a worker creates. */
import { setAge } from '#api/client/responseMetadata.ts';
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import { setInvalidRecords, type InvalidRecord } from '#api/client/invalidRecords.ts';
import { type Nodes, workcellApi } from '#api/managers/workcell.ts';
import { managerTitle } from '#api/managers.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import type { LiveQuery } from '#dashboard/components/feedback/liveQuery.ts';
import { useReadSource } from '#dashboard/managers/transport/clients.ts';
import type { PageCounts } from '#dashboard/managers/transport/poll/newestPages.ts';
import { usePoll } from '#dashboard/managers/transport/poll/poll.ts';
import { pollingSchedule } from '#dashboard/managers/transport/poll/pollingSchedule.ts';
import { managerQueryKey } from '#dashboard/managers/transport/poll/queryKey.ts';
import { createWorkerReader } from '#dashboard/managers/transport/worker/workerReader.ts';
import { useCurrentWorkflows, useNodes, useWorkcellTime } from '#dashboard/managers/workcell/workcellQueries.ts';
import type { Layer } from '../layer/layer.ts';
import type { ArchiveScope, TimelineResponse, TimelineRequest } from './messages.ts';
import { type ExecutingNodes, currentStep, workflowState } from '#dashboard/managers/workcell/workflowState.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

/** The numbers of newest archived workflows to read. The last one is the maximum, because the manager has no paging. */
export const timelineCounts: PageCounts = [500, 2000, 5000, 10_000];
/** Count of the frequent poll, for recently ended workflows. */
const newestCount = 50;
const endpoint = 'getArchivedWorkflows';

interface TimelineSteps {
  readonly layer: Readonly<ShallowRef<Layer | null>>;
  /** Returns the text at an index of the layer. */
  readonly textAt: (index: number | undefined) => string;
  readonly scope: ComputedRef<ArchiveScope>;
  /** The query of the archive. */
  readonly archive: LiveQuery<ArchiveReading>;
  /** The query for recently ended workflows. */
  readonly newest: LiveQuery<ArchiveReading>;
}

/** Describes a read; its records are in the layer, and its invalid records are registered for it. */
interface ArchiveReading {
  readonly count: number;
}

const unreadScope: ArchiveScope = { readCount: 0, requestedCount: 0, since: null, isTruncated: false };

/** Creates the worker that builds the layer. When the page is left, the worker ends and `disposed` is aborted. */
function useTimelineReader() {
  const worker = new Worker(new URL('./timelineWorker.ts', import.meta.url), { type: 'module' });
  const reader = createWorkerReader<TimelineRequest, never, TimelineResponse>(worker, {
    manager: workcellApi.server,
    endpoint,
    purpose: workcellApi.endpoints[endpoint].purpose,
  });
  const controller = new AbortController();
  onScopeDispose(() => {
    controller.abort();
    reader.stop();
  });
  return { reader, disposed: controller.signal };
}

/** @param count number of newest archived workflows to read */
export function useSteps(count: Ref<number>): TimelineSteps {
  const { reader, disposed } = useTimelineReader();
  const { address, target } = useReadSource('workcell');
  const time = useWorkcellTime();
  const layer = shallowRef<Layer | null>(null);
  const scope = shallowRef<ArchiveScope>(unreadScope);
  const textTable: string[] = [];

  async function requestLayer(
    request: Omit<TimelineRequest, 'clock' | 'nodes'>,
    signal: AbortSignal,
    maxAgeMs = 0,
  ): Promise<{ readonly invalid: readonly InvalidRecord[]; readonly ageMs: number }> {
    const input = { ...request, clock: time.clock.value, nodes: haltingNodes.value };
    const { extra, invalid, ageMs } = await reader.read(target(maxAgeMs), input, signal);
    textTable.push(...extra.texts);
    if (extra.layer !== null) layer.value = extra.layer;
    scope.value = extra.scope;
    return { invalid, ageMs };
  }
  const current = useCurrentWorkflows();
  const nodes = useNodes();
  const haltingNodes = computed(() => findHaltingNodes(current.value, nodes.value));
  const pollArchive = (
    name: 'all' | 'newest',
    getCount: () => number,
    interval: number,
    source: ComputedRef<string | null>,
  ) =>
    usePoll<ArchiveReading>({
      source: managerTitle('workcell'),
      key: () => managerQueryKey('workcell', source.value, endpoint, { number: getCount(), as: `timeline ${name}` }),
      interval,
      read: async (signal) => {
        const reading = { count: getCount() };
        const request = { archive: { count: getCount(), part: name }, current: null };
        const { invalid, ageMs } = await requestLayer(request, signal, interval);
        setInvalidRecords(reading, invalid);
        setAge(reading, ageMs);
        return reading;
      },
    });
  const archive = pollArchive('all', () => count.value, pollingSchedule.archiveFurtherBack, address);
  const newestAddress = computed(() => (layer.value !== null && scope.value.requestedCount > 0 ? address.value : null));
  const newest = pollArchive('newest', () => newestCount, pollingSchedule.archivedWorkflows, newestAddress);

  let sentWorkflows: ReadonlyMap<string, Workflow> = new Map();
  watch(
    [current, time.clock, () => stringifyExactJson(haltingNodes.value)] as const,
    ([workflows]) => {
      const currentById = new Map(workflows.map((workflow) => [workflow.workflow_id, workflow]));
      const changed = workflows.filter((workflow) => sentWorkflows.get(workflow.workflow_id) !== workflow);
      const hasRemovedWorkflows = [...sentWorkflows.keys()].some((id) => !currentById.has(id));
      sentWorkflows = currentById;
      const ids = [...currentById.keys()];
      // Rejects when the user leaves the page.
      requestLayer({ archive: null, current: { ids, changed } }, disposed).catch(() => undefined);
      if (hasRemovedWorkflows) newest.retry();
    },
    { immediate: true },
  );
  return { layer, textAt: (index) => textTable[index ?? 0] ?? '', scope: computed(() => scope.value), archive, newest };
}

/** Excludes actions of running workflows, because these would rebuild the timeline at every step. */
function findHaltingNodes(workflows: readonly Workflow[], nodes: Nodes): ExecutingNodes {
  const running = workflows.filter((workflow) => workflowState(workflow) === 'running');
  const runningActions = new Set(running.map((workflow) => currentStep(workflow)?.result?.action_id));
  const halting = Object.entries(nodes).flatMap(([name, { status }]) => {
    const actions = (status?.running_actions ?? []).filter((action) => !runningActions.has(action));
    if (status?.busy !== true || status.disconnected === true || actions.length === 0) return [];
    return [[name, { status: { busy: true, paused: status.paused, running_actions: actions } }] as const];
  });
  return Object.fromEntries(halting);
}
