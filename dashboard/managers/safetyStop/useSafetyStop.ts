/** The page's safety stop: its target nodes, its routes, and its report. */
import { currentTime } from '../../base/clock.ts';
import { until, useEventListener, useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch, type ShallowRef } from 'vue';
import type { AdminCommandResponse } from '../../../api/managers/action.ts';
import { createClient } from '../../../api/client/client.ts';
import { readSafetyStops } from '../../../api/lab/followedLab.ts';
import type { LabStop } from '../../../api/safetyStop/labStop.ts';
import { workcellApi, type Nodes } from '../../../api/managers/workcell.ts';
import { noPremise } from '../commands/premise.ts';
import { useCommand } from '../commands/useCommand.ts';
import { useOutcomes } from '../commands/outcomes.ts';
import { readRelayAccess, useCommandRefusal, useContext, useLabHistory } from '../lab/labQueries.ts';
import { describeRefusal } from '../commands/commandResult.ts';
import { useAddress } from '../transport/clients.ts';
import { useNodes, useWorkcell, useWorkcellState } from '../workcell/workcellQueries.ts';
import { safetyStopTexts as texts } from '../../../api/safetyStop/safetyStopTexts.ts';
import {
  activeCommands,
  planReleases,
  type Release,
  type StopRow,
  type StopTarget,
} from '../../../api/safetyStop/stopReport.ts';
import { routeTimeoutMs, StopRun, stopTimeoutMs } from '../../../api/safetyStop/stopRun.ts';
import {
  lastWorkcell,
  parseSeenNodes,
  mergeSeenNodes,
  toSeenNodes,
  listTargets,
  addNamedTargets,
  type SeenNodes,
} from './targets.ts';
import { useLabStop, useStopLog } from './stopLog.ts';
import { useRelayStop } from './relayStop.ts';
import { routesTo } from './routes.ts';

/**
 * How long a newly opened page waits for the addresses before it uses the stored ones, in ms: the lab manager that served
 * the page responds at once, or is unavailable.
 */
const addressTimeoutMs = 500;
/**
 * The time after the press from which a read of a node is newer than the stop, in ms: the workcell manager polls its
 * nodes every 2 s.
 */
const readAfterStopMs = 2500;
/**
 * If a page can't record its stop, the lab manager records it. The maximum time between the press and that record, in ms,
 * including the difference of the clocks.
 */
const maxRecordDelayMs = 10_000;
/** Like `readAfterStopMs`, if a hanging node has delayed the manager's poll of the others. */
const lateReadAfterStopMs = 30_000;

// oxlint-disable-next-line max-lines-per-function -- safety-critical: one store, whose state all of its steps share
export const useSafetyStop = defineStore('safetyStop', () => {
  const workcell = useWorkcell();
  // Known even while the route to the manager is being measured.
  const workcellAddress = useAddress('workcell');
  const context = useContext();
  const state = useWorkcellState();
  const nodes = useNodes();
  const act = useCommand();
  const refusal = useCommandRefusal();
  const outcomes = useOutcomes();
  const stopLog = useStopLog();
  const labStop = useLabStop();
  const relayStop = useRelayStop();
  const history = useLabHistory();
  /** The service's published state of safety stops, acknowledged or not; `null` before its first response. */
  const publishedReading = computed(() => {
    if (history.data.value === undefined) return null;
    const reading = readSafetyStops(history.data.value);
    const isOfThisPage = isRecordedForPage(reading.stopRecord);
    return isOfThisPage && reading.stopRecord
      ? { ...reading, stopRecord: { ...reading.stopRecord, id: run.stopId } }
      : reading;
  });
  /** Returns whether the lab manager has recorded this page's stop, which it does for pages that can't. */
  function isRecordedForPage(published: LabStop | null): boolean {
    const { sentAt, stopId } = run;
    if (published === null || published.at === null || sentAt === null || stopId === null || run.isForeign)
      return false;
    const isNear = Math.abs(Date.parse(published.at) - sentAt) < maxRecordDelayMs;
    return !relayStop.canRecord.value && isNear && published.machine === (history.data.value?.client ?? null);
  }

  const seenNodes = useLocalStorage<SeenNodes>(
    'lab-manager.nodes',
    {},
    { serializer: { read: parseSeenNodes, write: JSON.stringify } },
  );
  watch(
    [workcellAddress, () => JSON.stringify(toSeenNodes(nodes.value))] as const,
    ([address]) => {
      if (address !== null) seenNodes.value = mergeSeenNodes(seenNodes.value, address, toSeenNodes(nodes.value));
    },
    { immediate: true },
  );

  const open = ref(false);

  /** Returns the client of a workcell's manager; `null` if there is none. */
  function getClient(address: string) {
    const connection = workcell.value;
    if (connection !== null && connection.address === address) return connection.commands;
    return createDirectClient(address);
  }
  function createDirectClient(address: string) {
    return address === ''
      ? null
      : createClient(workcellApi, { baseUrl: address, timeoutMs: routeTimeoutMs, refusalReason: refusal });
  }

  /** Returns the routes to the manager of a node's workcell. */
  function managerRoutesFor({ workcell: address, name }: StopTarget) {
    const isCurrent = address === workcellAddress.value;
    const client = relayStop.isDirect.value || !isCurrent ? getClient(address) : createDirectClient(address);
    return { workcell: client, relayed: isCurrent ? relayStop.routeTo(name) : null };
  }

  /** Resolves with the workcell's address; `null` if the lab manager hasn't responded in time, `''` if there is none. */
  async function waitForAddress(ms: number): Promise<string | null> {
    if (workcellAddress.value === null && context.data.value === undefined) {
      context.retry();
      await until(() => context.data.value !== undefined).toBe(true, { timeout: ms });
    }
    return workcellAddress.value ?? (context.data.value === undefined ? null : '');
  }

  /** Nodes that were read as stopped since the press. */
  const stoppedSincePress = shallowRef<ReadonlySet<string>>(new Set());
  const lastReadAfterPressMs = computed(() => (state.receivedAt.value ?? 0) - (view.value.sentAt ?? 0));
  const isReadSincePress = computed(() => lastReadAfterPressMs.value > readAfterStopMs);
  const isRead = (name: string): boolean =>
    lastReadAfterPressMs.value > lateReadAfterStopMs || (isReadSincePress.value && stoppedSincePress.value.has(name));
  const releasesOfRows = (rows: readonly StopRow[]): readonly Release[] =>
    planReleases({ rows, nodes: nodes.value, workcell: workcellAddress.value ?? '', isRead });

  const run: StopRun = new StopRun({
    getRoutes: (target) => routesTo(target, managerRoutesFor(target)),
    effectsBefore: ({ workcell: address, name }) =>
      activeCommands(address === workcellAddress.value ? nodes.value[name]?.status : null),
    readAt: () => state.receivedAt.value ?? 0,
    lab: () => publishedReading.value?.lab ?? null,
    planReleases: releasesOfRows,
    release: releaseOne,
    record: stopLog.record,
    onChange: () => (view.value = captureState(run)),
    now: currentTime,
  });
  const view: ShallowRef<ReturnType<typeof captureState>> = shallowRef(captureState(run));
  watch([nodes, () => view.value.sentAt], ([read, sentAt], [, previousSentAt]) => {
    const stoppedNodes = Object.entries(read).flatMap(([name, { status }]) => (status?.stopped === true ? [name] : []));
    stoppedSincePress.value = new Set([...(sentAt === previousSentAt ? stoppedSincePress.value : []), ...stoppedNodes]);
  });
  /** The possible releases of the report's rows. */
  const releases = computed(() => releasesOfRows(view.value.rows));

  /** Sends the stop to all nodes at once. */
  async function stop(): Promise<void> {
    const reason = refusal();
    if (reason !== null) return outcomes.begin(texts.button)('failed', texts.refused(reason));
    const stopInForce = labStop.value ?? publishedReading.value?.stopRecord ?? null;
    // The stop is sent nevertheless: a route may be open again.
    const { value: unavailableReason } = relayStop.unavailableReason;
    if (unavailableReason !== null) outcomes.begin(texts.button)('failed', texts.unavailable(unavailableReason));
    open.value = true;
    // Read before waiting: as soon as the address arrives, its workcell becomes the last one.
    const lastAddress = lastWorkcell(seenNodes.value);
    const readKnownNodes = async (): Promise<readonly StopTarget[]> => {
      const address = (await waitForAddress(addressTimeoutMs)) ?? lastAddress;
      const isCurrent = address === workcellAddress.value;
      const targets = listTargets(address, isCurrent ? nodes.value : {}, seenNodes.value[address] ?? {});
      return isCurrent ? addNamedTargets(targets, address, relayStop.nodeNames.value) : targets;
    };
    await run.stop({ readKnownNodes, readListedNodes }, stopInForce);
    state.retry();
  }

  /** Returns all nodes: the page may not have seen some of them, because it was hidden or has just been opened. */
  async function readListedNodes(signal: AbortSignal): Promise<readonly StopTarget[]> {
    const address = await waitForAddress(routeTimeoutMs);
    if (address === null || address === '' || signal.aborted) return [];
    const listedNodes =
      workcell.value?.queries.getNodes({}, { timeoutMs: routeTimeoutMs, signal }).catch(() => ({})) ?? {};
    const names = await readNames(signal);
    // The lab manager's list need not wait for a workcell manager that this page may not reach.
    const currentNodes = await (names === null ? listedNodes : Promise.race([listedNodes, emptyListAfterTimeout()]));
    return addNamedTargets(listTargets(address, currentNodes, seenNodes.value[address] ?? {}), address, names ?? []);
  }
  const emptyListAfterTimeout = () => new Promise<Nodes>((resolve) => setTimeout(() => resolve({}), stopTimeoutMs));
  /** Returns the names of the nodes that the relay stops for this page; `null` if it stops none. */
  async function readNames(signal: AbortSignal): Promise<readonly string[] | null> {
    await until(() => history.data.value !== undefined).toBe(true, { timeout: addressTimeoutMs });
    if (history.data.value?.remote_access === undefined) return null;
    const read = readRelayAccess(signal).catch(() => null);
    // Right after the page was opened, it is unknown whether it may use the relay.
    await until(relayStop.isKnown).toBe(true, { timeout: stopTimeoutMs });
    return relayStop.isAllowed.value ? ((await read)?.stop.nodes ?? null) : null;
  }
  relayStop.checkNodes(() =>
    listTargets(workcellAddress.value ?? '', nodes.value, seenNodes.value[workcellAddress.value ?? ''] ?? {}).flatMap(
      ({ url }) => (url === null ? [] : [`${url.replace(/\/+$/, '')}/status`]),
    ),
  );

  /** Shows the report of the stop in force again, also if another page sent it; sends nothing. */
  function openReport(reported: LabStop): void {
    open.value = true;
    run.adopt(reported, workcellAddress.value ?? '');
    observe();
  }
  function observe(): void {
    if (publishedReading.value !== null && !history.stale.value) run.observe(publishedReading.value);
  }
  watch([publishedReading, history.receivedAt], observe);
  watch(labStop, (now) => {
    if (run.isForeign && open.value && now !== null && now.id === run.stopId)
      run.adopt(now, workcellAddress.value ?? '');
  });

  // Saves the progress, so that another page can release what is recorded.
  useEventListener(window, 'pagehide', () => run.recordProgress());

  /** Hides the stop on all pages without releasing it. */
  function acknowledge(acknowledged: LabStop): void {
    if (acknowledged.id !== null) run.acknowledge(acknowledged.id, acknowledged.nodes);
    open.value = false;
  }

  /** Implements `StopDependencies.release`; its outcome is also listed among those of other commands. */
  async function releaseOne(
    { workcell: address, name, commands }: Release,
    settled: Promise<Release>,
    isSuperseded: () => boolean,
  ): Promise<string | null> {
    const client = getClient(address);
    if (client === null) return texts.noWorkcell;
    let failure: string = texts.releaseNotConfirmed;
    const responses = await act({
      commandText: texts.releaseWhat(name, commands),
      verb: texts.releaseVerb,
      target: { kind: 'node', id: nodes.value[name]?.info?.node_id ?? '', name },
      manager: 'workcell',
      // The safety stop and its release never wait for a read.
      premise: noPremise,
      run: async () => {
        const release = await settled;
        const received: AdminCommandResponse[] = [];
        // Sequentially, because a node that is still locked may reject the resume.
        for (const command of release.commands) {
          if (isSuperseded()) throw new Error(texts.releaseSuperseded);
          received.push(await client.sendCommand({ command, node: name }));
        }
        return received;
      },
      interpretResponse: (received) => {
        const refused = received.filter(({ success }) => !success);
        if (refused.length === 0) return '';
        failure = refused.map(describeRefusal).join(' ');
        return { state: 'failed', text: failure };
      },
    });
    return responses === null ? failure : null;
  }

  return {
    open,
    rows: computed(() => view.value.rows),
    sentAt: computed(() => view.value.sentAt),
    isReadingNodes: computed(() => view.value.isReadingNodes),
    isRepeating: computed(() => view.value.isRepeating),
    isReadSincePress,
    isRead,
    isOver: computed(() => view.value.isOver),
    /** The reason why this page can't stop anything; `null` if it can, or may. */
    unavailableReason: relayStop.unavailableReason,
    /** Whether this page can record the acknowledgement of a stop. */
    canAcknowledge: relayStop.canRecord,
    releases,
    stop,
    cancelRetries: () => run.stopSending(),
    release: () => run.release(),
    openReport,
    acknowledge,
  };
});

/** Returns a snapshot of a run for the display. */
function captureState({ rows, sentAt, isReadingNodes, isRepeating, isOver }: StopRun) {
  return { rows, sentAt, isReadingNodes, isRepeating, isOver };
}
