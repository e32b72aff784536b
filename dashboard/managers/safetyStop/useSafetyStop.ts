/** The safety stop of the whole lab: who it goes to, until when it is sent, what came of it, and its release. */
import { until, useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';
import type { AdminCommandAnswer } from '../../../api/managers/action.ts';
import { createClient } from '../../../api/client/client.ts';
import { saysMore, sendingOutcome, stopUntilConfirmed, type StopOutcome } from '../../../api/safetyStop.ts';
import { workcellApi } from '../../../api/managers/workcell.ts';
import { useCommand } from '../commands/useCommand.ts';
import { useContext } from '../lab/labQueries.ts';
import { refusalWords } from '../commands/refusalWords.ts';
import { useNodes, useWorkcell, useWorkcellState } from '../workcell/workcellQueries.ts';
import { safetyStopTexts as texts } from './texts.ts';
import { alreadySo, putRow, releasesOf, repeats, rowKey, type Release, type StopRow } from './report.ts';
import { lastWorkcell, readSeen, remember, seenOf, targetsOf, type SeenNodes, type StopTarget } from './targets.ts';
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

export const useSafetyStop = defineStore('safetyStop', () => {
  const workcell = useWorkcell();
  const context = useContext();
  const state = useWorkcellState();
  const nodes = useNodes();
  const act = useCommand();

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
  const open = ref(false);
  /** Which nodes there are besides the known ones is being asked. */
  const looking = ref(false);
  const rows = ref<readonly StopRow[]>([]);
  /** The last press is still being carried out. */
  const active = ref(false);
  /** Some node that hasn't confirmed is sent it again. */
  const isRepeating = computed(() => active.value && repeats(rows.value));
  let round = new AbortController();

  /** The manager of that workcell; `null` where there is none. */
  function clientOf(address: string) {
    const connection = workcell.value;
    if (connection !== null && connection.address === address) return connection.commands;
    return address === '' ? null : createClient(workcellApi, { baseUrl: address, deadlineMs });
  }

  async function stopOne(mine: AbortController, target: StopTarget): Promise<void> {
    const status = target.workcell === workcell.value?.address ? nodes.value[target.name]?.status : null;
    const before = alreadySo(status);
    let best: StopOutcome = sendingOutcome;
    const put = (outcome: StopOutcome, attempt: number): void => {
      if (mine !== round) return;
      if (saysMore(outcome, best)) best = outcome;
      const known = rows.value.find((row) => rowKey(row) === rowKey(target));
      // What is confirmed after a release wasn't released by it.
      const released = known?.released === true && !saysMore(best, known.outcome);
      rows.value = putRow(rows.value, { ...target, outcome: best, attempt, before, released });
    };
    put(sendingOutcome, 1);
    await stopUntilConfirmed(waysTo(target, clientOf(target.workcell)), put, mine.signal);
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
  async function stopUnseen(mine: AbortController, known: readonly StopTarget[]): Promise<void> {
    await addressWithin(deadlineMs);
    const connection = workcell.value;
    if (connection === null || mine.signal.aborted) return;
    const { address } = connection;
    const answer = await connection.queries.getNodes({}, { deadlineMs, signal: mine.signal }).catch(() => ({}));
    if (mine.signal.aborted) return;
    const done = new Set(known.map(rowKey));
    const others = targetsOf(address, answer, seen.value[address] ?? {}).filter((target) => !done.has(rowKey(target)));
    await Promise.all(others.map((target) => stopOne(mine, target)));
  }

  /** At once, to every node at the same time. */
  async function stop(): Promise<void> {
    round.abort();
    const mine = new AbortController();
    round = mine;
    sentAt.value = Date.now();
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
    const unseen = stopUnseen(mine, targets).finally(() => {
      if (mine === round) looking.value = false;
    });
    await Promise.all([...targets.map((target) => stopOne(mine, target)), unseen]);
    if (mine !== round) return;
    active.value = false;
    state.retry();
  }

  /** Sends nothing again; what came of it stays. */
  function callOff(): void {
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

  async function releaseOne({ workcell: address, name, commands }: Release): Promise<void> {
    const client = clientOf(address);
    if (client === null) return;
    const answers = await act({
      what: texts.releaseWhat(name, commands),
      manager: 'workcell',
      run: async () => {
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
    if (answers === null) return;
    rows.value = rows.value.map((row) =>
      row.name === name && row.workcell === address ? { ...row, released: true } : row,
    );
  }

  /** Undoes what was confirmed, node by node; each tells its own outcome. */
  async function release(): Promise<void> {
    callOff();
    await Promise.all(releases.value.map(releaseOne));
  }

  return { open, rows, sentAt, looking, isRepeating, seenSince, releases, stop, callOff, release };
});
