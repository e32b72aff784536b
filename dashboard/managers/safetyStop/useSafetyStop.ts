/** The safety stop of the whole lab: who it goes to, until when it is sent, what came of it, and its release. */
import { currentTime } from '../../base/clock.ts';
import { until, useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';
import type { AdminCommandAnswer } from '../../../api/managers/action.ts';
import { createClient } from '../../../api/client/client.ts';
import type { LabStop } from '../../../api/labStop.ts';
import { saysMore, sendingOutcome, stopUntilConfirmed, type StopOutcome } from '../../../api/safetyStop.ts';
import { workcellApi } from '../../../api/managers/workcell.ts';
import { independent } from '../commands/premise.ts';
import { useCommand } from '../commands/useCommand.ts';
import { parseTime } from '../../base/time.ts';
import { useOutcomes } from '../commands/outcomes.ts';
import { useCommandRefusal, useContext } from '../lab/labQueries.ts';
import { refusalWords } from '../commands/refusalWords.ts';
import { useNodes, useWorkcell, useWorkcellState } from '../workcell/workcellQueries.ts';
import { safetyStopTexts as texts } from './texts.ts';
import { alreadySo, doneBy, putRow, releasesOf, repeats, rowKey, rowOf, type Release, type StopRow } from './report.ts';
import { lastWorkcell, readSeen, remember, seenOf, targetsOf, type SeenNodes, type StopTarget } from './targets.ts';
import { useLabStop, useStopLog } from './stopLog.ts';
import { deadlineMs, waysTo } from './ways.ts';

/**
 * How long a page that has just been opened waits for the addresses before it goes by what was known last, in ms: the
 * lab manager that has just served the page tells them at once, or is gone.
 */
const addressMs = 500;
/**
 * From the press until what is read of a node is of after it, in ms: the workcell manager looks at its nodes every 2 s.
 */
const lookMs = 2500;

/** A result is recorded this long after the press, in ms, so that other pages need not wait for the last attempt. */
const interimMs = 3000;
/** The flags that the page has read of a node are from before a release that is younger than this, in ms. */
const readDelayMs = 10_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

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

  const seen = useLocalStorage<SeenNodes>(
    'lab-manager.nodes',
    {},
    { serializer: { read: readSeen, write: JSON.stringify } },
  );
  watch(
    [() => workcell.value?.address, () => JSON.stringify(seenOf(nodes.value))] as const,
    ([address]) => {
      if (address !== undefined) seen.value = remember(seen.value, address, seenOf(nodes.value));
    },
    { immediate: true },
  );

  /** When it was last pressed, ms since the epoch. */
  const sentAt = ref<number | null>(null);
  /** The event of the stop that the rows are of; `null` where none is recorded. */
  const stopId = ref<string | null>(null);
  /** Another page has sent it: its rows are those that are published. */
  const isForeign = ref(false);
  const open = ref(false);
  /** Which nodes there are besides the known ones is being asked. */
  const looking = ref(false);
  const rows = ref<readonly StopRow[]>([]);
  /** The last press is still being carried out. */
  const active = ref(false);
  /** Some node that hasn't confirmed is sent it again. */
  const isRepeating = computed(() => active.value && repeats(rows.value));
  let round = new AbortController();
  /** The stop of each node until all that was sent has been answered. */
  const inFlight = new Map<string, Promise<unknown>>();

  /** The manager of that workcell; `null` where there is none. */
  function clientOf(address: string) {
    const connection = workcell.value;
    if (connection !== null && connection.address === address) return connection.commands;
    return address === '' ? null : createClient(workcellApi, { baseUrl: address, deadlineMs, refusal });
  }

  async function stopOne(mine: AbortController, target: StopTarget, earlier: readonly StopRow[]): Promise<void> {
    const status = target.workcell === workcell.value?.address ? nodes.value[target.name]?.status : null;
    const known = earlier.find((row) => row.name === target.name);
    // What the node is because of an earlier press, of any page, is the stop's to undo; what is read of it is as old as that.
    const isRecent =
      known !== undefined && (known.releasedAt === null || currentTime() - known.releasedAt < readDelayMs);
    const before = isRecent ? known.before : alreadySo(status);
    const didBefore = isRecent && known.releasedAt === null ? doneBy(known) : [];
    let best: StopOutcome = sendingOutcome;
    const put = (outcome: StopOutcome, attempt: number): void => {
      if (mine !== round) return;
      if (saysMore(outcome, best)) best = outcome;
      const shown = rows.value.find((row) => rowKey(row) === rowKey(target));
      // What is confirmed after a release wasn't released by it.
      const releasedAt = shown === undefined || saysMore(best, shown.outcome) ? null : shown.releasedAt;
      rows.value = putRow(rows.value, { ...target, outcome: best, attempt, before, didBefore, releasedAt });
    };
    put(sendingOutcome, 1);
    const sending = stopUntilConfirmed(waysTo(target, clientOf(target.workcell)), put, mine.signal);
    const key = rowKey(target);
    inFlight.set(key, sending);
    await sending;
    if (inFlight.get(key) === sending) inFlight.delete(key);
  }

  /** Resolves with the workcell's address; `null` where the lab manager hasn't told it by then, `''` where there is none. */
  async function addressWithin(ms: number): Promise<string | null> {
    if (workcell.value === null && context.data.value === undefined) {
      context.retry();
      await until(() => context.data.value !== undefined).toBe(true, { timeout: ms });
    }
    return workcell.value?.address ?? (context.data.value === undefined ? null : '');
  }

  /** Nodes that the page hasn't seen: it was hidden, or has just been opened. */
  async function stopUnseen(
    mine: AbortController,
    known: readonly StopTarget[],
    earlier: readonly StopRow[],
  ): Promise<void> {
    await addressWithin(deadlineMs);
    const connection = workcell.value;
    if (connection === null || mine.signal.aborted) return;
    const { address } = connection;
    const answer = await connection.queries.getNodes({}, { deadlineMs, signal: mine.signal }).catch(() => ({}));
    if (mine.signal.aborted) return;
    const done = new Set(known.map(rowKey));
    const others = targetsOf(address, answer, seen.value[address] ?? {}).filter((target) => !done.has(rowKey(target)));
    await Promise.all(others.map((target) => stopOne(mine, target, earlier)));
  }

  /** At once, to every node at the same time. */
  async function stop(): Promise<void> {
    const reason = refusal();
    if (reason !== null) return outcomes.begin(texts.button)('failed', texts.refused(reason));
    round.abort();
    const mine = new AbortController();
    round = mine;
    const pressedAt = currentTime();
    const inForce = labStop.value?.nodes.map((node) => rowOf(node, workcell.value?.address ?? '')) ?? [];
    const earlier = [...rows.value, ...inForce.filter(({ name }) => rows.value.every((row) => row.name !== name))];
    sentAt.value = pressedAt;
    open.value = true;
    rows.value = [];
    looking.value = true;
    active.value = true;
    // Read before the address is waited for: that the page learns it makes another workcell the last one.
    const last = lastWorkcell(seen.value);
    const address = (await addressWithin(addressMs)) ?? last;
    if (mine.signal.aborted) return;
    const isCurrent = address === workcell.value?.address;
    const targets = targetsOf(address, isCurrent ? nodes.value : {}, seen.value[address] ?? {});
    const unseen = stopUnseen(mine, targets, earlier).finally(() => {
      if (mine === round) looking.value = false;
    });
    const stopping = Promise.all([...targets.map((target) => stopOne(mine, target, earlier)), unseen]);
    stopId.value = stopLog.recordStop(pressedAt, rows.value);
    isForeign.value = false;
    const interim = setTimeout(() => recordResult(mine), interimMs);
    await stopping;
    clearTimeout(interim);
    if (mine !== round) return;
    recordResult(mine);
    active.value = false;
    state.retry();
  }

  /** Records what is known now, where that differs from what was recorded last. */
  function recordResult(mine: AbortController): void {
    if (mine === round && stopId.value !== null && !isForeign.value)
      stopLog.recordResult(stopId.value, sentAt.value ?? 0, rows.value);
  }

  /** Shows the report of the stop in force again, also of one that another page sent, and sends nothing. */
  function openReport(shown: LabStop): void {
    open.value = true;
    // What this page still sends is reported as it comes.
    if (active.value || (shown.id !== null && shown.id === stopId.value && !isForeign.value)) return;
    isForeign.value = true;
    stopId.value = shown.id;
    sentAt.value = parseTime(shown.at);
    rows.value = [];
    showForeign(shown);
  }

  /** The rows of a stop that another page has sent, as it is known now; what was released here stays released. */
  function showForeign(shown: LabStop): void {
    const address = workcell.value?.address ?? '';
    const releasedAt = new Map(rows.value.map((row) => [row.name, row.releasedAt]));
    rows.value = shown.nodes
      .map((node) => ({ ...rowOf(node, address), releasedAt: releasedAt.get(node.name) ?? null }))
      .reduce(putRow, [] as readonly StopRow[]);
  }
  watch(labStop, (now) => {
    if (isForeign.value && open.value && now !== null && now.id === stopId.value) showForeign(now);
  });

  /** Hides the stop everywhere, and releases nothing. */
  function acknowledge(shown: LabStop): void {
    if (shown.id !== null) stopLog.recordAcknowledged(shown.id, shown.nodes);
    open.value = false;
  }

  /** Sends nothing again; what came of it stays. */
  function callOff(): void {
    recordResult(round);
    round.abort();
    looking.value = false;
    active.value = false;
  }

  /** What is read of the nodes is of after the stop. */
  const seenSince = computed(() => (state.receivedAt.value ?? 0) > (sentAt.value ?? 0) + lookMs);
  const releases = computed<readonly Release[]>(() =>
    releasesOf({
      rows: rows.value,
      nodes: nodes.value,
      workcell: workcell.value?.address ?? '',
      seenSince: seenSince.value,
    }),
  );

  /** @returns whether the node did all of it */
  async function releaseOne({ workcell: address, name, commands }: Release): Promise<boolean> {
    const client = clientOf(address);
    if (client === null) return false;
    const answers = await act({
      what: texts.releaseWhat(name, commands),
      verb: texts.releaseVerb,
      target: { kind: 'node', id: nodes.value[name]?.info?.node_id ?? '', name },
      manager: 'workcell',
      // The safety stop and its release never wait for a read.
      premise: independent,
      run: async () => {
        // A node that is slow would carry out the stop after its release.
        const stopping = inFlight.get(rowKey({ workcell: address, name }));
        if (stopping !== undefined) await Promise.race([stopping, pause(deadlineMs)]);
        const got: AdminCommandAnswer[] = [];
        // One after the other: a node that is still locked may refuse to go on.
        for (const command of commands) got.push(await client.sendCommand({ command, node: name }));
        return got;
      },
      said: (got) => {
        const refused = got.filter(({ success }) => !success);
        return refused.length === 0 ? '' : { state: 'failed', words: refused.map(refusalWords).join(' ') };
      },
    });
    if (answers === null) return false;
    rows.value = rows.value.map((row) =>
      row.name === name && row.workcell === address ? { ...row, releasedAt: currentTime() } : row,
    );
    return true;
  }

  /** Undoes what was confirmed, node by node; each tells its own outcome. */
  async function release(): Promise<void> {
    callOff();
    const began = currentTime();
    const atOnce = releases.value;
    const released = await Promise.all(atOnce.map(releaseOne));
    // What a slow node has done meanwhile is undone as well.
    await Promise.race([Promise.all(inFlight.values()), pause(deadlineMs)]);
    const late = releases.value.filter((each) => !atOnce.some((done) => rowKey(done) === rowKey(each)));
    released.push(...(await Promise.all(late.map(releaseOne))));
    // What a node did that has not answered yet is unknown, and so is whether it is released.
    const isLeft = released.includes(false) || rows.value.some(({ outcome }) => outcome.state === 'sending');
    if (stopId.value !== null) stopLog.recordRelease(stopId.value, began, isLeft, rows.value);
  }

  return {
    open,
    rows,
    sentAt,
    looking,
    isRepeating,
    seenSince,
    releases,
    stop,
    callOff,
    release,
    openReport,
    acknowledge,
  };
});
