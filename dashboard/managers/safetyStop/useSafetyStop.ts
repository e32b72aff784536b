/** The page's safety stop: its target nodes, its routes, and its report. */
import { currentTime } from '../../base/clock.ts';
import { until, useEventListener, useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import type { AdminCommandAnswer } from '../../../api/managers/action.ts';
import { createClient } from '../../../api/client/client.ts';
import { stopReadingOf } from '../../../api/lab/followed.ts';
import type { LabStop } from '../../../api/safetyStop/labStop.ts';
import { workcellApi } from '../../../api/managers/workcell.ts';
import { independent } from '../commands/premise.ts';
import { useCommand } from '../commands/useCommand.ts';
import { useOutcomes } from '../commands/outcomes.ts';
import { useCommandRefusal, useContext, useLabHistory } from '../lab/labQueries.ts';
import { refusalText } from '../commands/commandResult.ts';
import { useNodes, useWorkcell, useWorkcellState } from '../workcell/workcellQueries.ts';
import { safetyStopTexts as texts } from '../../../api/safetyStop/safetyStopTexts.ts';
import {
  alreadySo,
  releasesOf,
  type Release,
  type StopRow,
  type StopTarget,
} from '../../../api/safetyStop/stopReport.ts';
import { stopDeadlineMs, StopRun } from '../../../api/safetyStop/stopRun.ts';
import { lastWorkcell, readSeen, remember, seenNodesOf, targetsOf, type SeenNodes } from './targets.ts';
import { useLabStop, useStopLog } from './stopLog.ts';
import { routesTo } from './routes.ts';

/**
 * How long a newly opened page waits for the addresses before it uses the stored ones, in ms: the lab manager that served
 * the page responds at once, or is unavailable.
 */
const addressMs = 500;
/**
 * The time after the press from which a read of a node is newer than the stop, in ms: the workcell manager polls its
 * nodes every 2 s.
 */
const checkIntervalMs = 2500;
/** Like `checkIntervalMs`, if a hanging node has delayed the manager's poll of the others. */
const readAgainMs = 30_000;

// oxlint-disable-next-line max-lines-per-function -- safety-critical: one store, whose state all of its steps share
export const useSafetyStop = defineStore('safetyStop', () => {
  const workcell = useWorkcell();
  const context = useContext();
  const state = useWorkcellState();
  const nodes = useNodes();
  const act = useCommand();
  const refusal = useCommandRefusal();
  const outcomes = useOutcomes();
  const stopLog = useStopLog();
  const labStop = useLabStop();
  const history = useLabHistory();
  /** The service's published state of safety stops, acknowledged or not; `null` before its first response. */
  const publishedReading = computed(() =>
    history.data.value === undefined ? null : stopReadingOf(history.data.value),
  );

  const seenNodes = useLocalStorage<SeenNodes>(
    'lab-manager.nodes',
    {},
    { serializer: { read: readSeen, write: JSON.stringify } },
  );
  watch(
    [() => workcell.value?.address, () => JSON.stringify(seenNodesOf(nodes.value))] as const,
    ([address]) => {
      if (address !== undefined) seenNodes.value = remember(seenNodes.value, address, seenNodesOf(nodes.value));
    },
    { immediate: true },
  );

  const open = ref(false);

  /** Returns the client of a workcell's manager; `null` if there is none. */
  function clientOf(address: string) {
    const connection = workcell.value;
    if (connection !== null && connection.address === address) return connection.commands;
    return address === '' ? null : createClient(workcellApi, { baseUrl: address, deadlineMs: stopDeadlineMs, refusal });
  }

  /** Resolves with the workcell's address; `null` if the lab manager hasn't responded in time, `''` if there is none. */
  async function addressWithin(ms: number): Promise<string | null> {
    if (workcell.value === null && context.data.value === undefined) {
      context.retry();
      await until(() => context.data.value !== undefined).toBe(true, { timeout: ms });
    }
    return workcell.value?.address ?? (context.data.value === undefined ? null : '');
  }

  /** Nodes that were read as stopped since the press. */
  const seenStopped = shallowRef<ReadonlySet<string>>(new Set());
  const sinceMs = computed(() => (state.receivedAt.value ?? 0) - (view.value.sentAt ?? 0));
  const seenSince = computed(() => sinceMs.value > checkIntervalMs);
  const isRead = (name: string): boolean =>
    sinceMs.value > readAgainMs || (seenSince.value && seenStopped.value.has(name));
  const releasesOfRows = (rows: readonly StopRow[]): readonly Release[] =>
    releasesOf({ rows, nodes: nodes.value, workcell: workcell.value?.address ?? '', isRead });

  const run = new StopRun({
    routesTo: (target) => routesTo(target, clientOf(target.workcell)),
    effectsBefore: ({ workcell: address, name }) =>
      alreadySo(address === workcell.value?.address ? nodes.value[name]?.status : null),
    readAt: () => state.receivedAt.value ?? 0,
    lab: () => publishedReading.value?.lab ?? null,
    releases: releasesOfRows,
    release: releaseOne,
    record: stopLog.record,
    onChange: () => (view.value = viewOf(run)),
    now: currentTime,
  });
  const view = shallowRef(viewOf(run));
  watch([nodes, () => view.value.sentAt], ([read, sentAt], [, before]) => {
    const stoppedNodes = Object.entries(read).flatMap(([name, { status }]) => (status?.stopped === true ? [name] : []));
    seenStopped.value = new Set([...(sentAt === before ? seenStopped.value : []), ...stoppedNodes]);
  });
  /** The possible releases of the report's rows. */
  const releases = computed(() => releasesOfRows(view.value.rows));

  /** Sends the stop to all nodes at once. */
  async function stop(): Promise<void> {
    const reason = refusal();
    if (reason !== null) return outcomes.begin(texts.button)('failed', texts.refused(reason));
    const inForce = labStop.value ?? publishedReading.value?.stopRecord ?? null;
    open.value = true;
    // Read before waiting for the address, because the arriving address makes another workcell the last one.
    const last = lastWorkcell(seenNodes.value);
    const known = async (): Promise<readonly StopTarget[]> => {
      const address = (await addressWithin(addressMs)) ?? last;
      const isCurrent = address === workcell.value?.address;
      return targetsOf(address, isCurrent ? nodes.value : {}, seenNodes.value[address] ?? {});
    };
    await run.stop({ readKnownNodes: known, readListedNodes: readNewNodes }, inForce);
    state.retry();
  }

  /** Returns the nodes that the page has not seen yet, because it was hidden or has just been opened. */
  async function readNewNodes(signal: AbortSignal): Promise<readonly StopTarget[]> {
    await addressWithin(stopDeadlineMs);
    const connection = workcell.value;
    if (connection === null || signal.aborted) return [];
    const { address } = connection;
    const answer = await connection.queries.getNodes({}, { deadlineMs: stopDeadlineMs, signal }).catch(() => ({}));
    return targetsOf(address, answer, seenNodes.value[address] ?? {});
  }

  /** Shows the report of the stop in force again, also if another page sent it; sends nothing. */
  function openReport(shown: LabStop): void {
    open.value = true;
    run.adopt(shown, workcell.value?.address ?? '');
    observe();
  }
  function observe(): void {
    if (publishedReading.value !== null && !history.stale.value) run.observe(publishedReading.value);
  }
  watch([publishedReading, history.receivedAt], observe);
  watch(labStop, (now) => {
    if (run.isForeign && open.value && now !== null && now.id === run.stopId)
      run.adopt(now, workcell.value?.address ?? '');
  });

  // Saves the progress, so that another page can release what is recorded.
  useEventListener(window, 'pagehide', () => run.recordProgress());

  /** Hides the stop on all pages without releasing it. */
  function acknowledge(shown: LabStop): void {
    if (shown.id !== null) run.acknowledge(shown.id, shown.nodes);
    open.value = false;
  }

  /** Implements `StopWiring.release`; its outcome is also listed among those of other commands. */
  async function releaseOne(
    { workcell: address, name, commands }: Release,
    settled: Promise<Release>,
    isOvertaken: () => boolean,
  ): Promise<string | null> {
    const client = clientOf(address);
    if (client === null) return texts.noWorkcell;
    let failure: string = texts.releaseNotConfirmed;
    const answers = await act({
      what: texts.releaseWhat(name, commands),
      verb: texts.releaseVerb,
      target: { kind: 'node', id: nodes.value[name]?.info?.node_id ?? '', name },
      manager: 'workcell',
      // The safety stop and its release never wait for a read.
      premise: independent,
      run: async () => {
        const now = await settled;
        const received: AdminCommandAnswer[] = [];
        // Sequentially, because a node that is still locked may reject the resume.
        for (const command of now.commands) {
          if (isOvertaken()) throw new Error(texts.releaseOvertaken);
          received.push(await client.sendCommand({ command, node: name }));
        }
        return received;
      },
      interpretAnswer: (received) => {
        const refused = received.filter(({ success }) => !success);
        if (refused.length === 0) return '';
        failure = refused.map(refusalText).join(' ');
        return { state: 'failed', text: failure };
      },
    });
    return answers === null ? failure : null;
  }

  return {
    open,
    rows: computed(() => view.value.rows),
    sentAt: computed(() => view.value.sentAt),
    isReadingNodes: computed(() => view.value.isReadingNodes),
    isRepeating: computed(() => view.value.isRepeating),
    seenSince,
    isRead,
    isOver: computed(() => view.value.isOver),
    releases,
    stop,
    callOff: () => run.callOff(),
    release: () => run.release(),
    openReport,
    acknowledge,
  };
});

/** Returns a snapshot of a run for the display. */
function viewOf({ rows, sentAt, isReadingNodes, isRepeating, isOver }: StopRun) {
  return { rows, sentAt, isReadingNodes, isRepeating, isOver };
}
