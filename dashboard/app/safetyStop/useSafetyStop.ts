/** The safety stop of the whole lab: who it goes to, by which ways, and what came of it for each node. */
import { until, useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';
import type { AdminCommand, AdminCommandAnswer } from '../../../api/action.ts';
import { createClient } from '../../../api/client.ts';
import { nodeApi } from '../../../api/node.ts';
import { saysMore, sendingOutcome, stopNode, type StopOutcome } from '../../../api/safetyStop.ts';
import { useAct } from '../../managers/act.ts';
import { useContext } from '../../managers/live.ts';
import { nodeState } from '../../managers/nodeState.ts';
import { useWorkcell, useWorkcellState } from '../../managers/workcell.ts';
import { safetyStopTexts as texts } from '../texts/safetyStop.ts';
import { readSeen, targetsOf, type SeenNodes, type StopTarget } from './targets.ts';

/** How long the workcell manager has before nodes are asked themselves as well, in ms. */
const patienceMs = 1500;
/** For one way to one node, in ms. */
const deadlineMs = 10_000;
/**
 * From the press until what is read of a node is of after it, in ms: the workcell manager looks at its nodes every 2 s.
 */
const lookMs = 2500;
/** Workcell managers whose nodes are remembered. */
const remembered = 5;

export interface StopRow extends StopTarget {
  readonly outcome: StopOutcome;
}

/** In the desktop window the shell lets the page read what nodes answer; elsewhere a browser forbids it. */
function readsNodes(): boolean {
  return navigator.userAgent.includes(' Electron/');
}

/** Straight to the node: its answer, or `null` where it may not be read. */
async function askNode(url: string, command: AdminCommand): Promise<AdminCommandAnswer | null> {
  if (readsNodes()) {
    try {
      return await createClient(nodeApi, { baseUrl: url, deadlineMs }).sendCommand({ admin_command: command });
    } catch {
      // Not readable, or not reached: the request below tells which. A second stop does no harm.
    }
  }
  const address = `${url.replace(/\/+$/, '')}/admin/${command}`;
  await fetch(address, { method: 'POST', mode: 'no-cors', cache: 'no-store', signal: AbortSignal.timeout(deadlineMs) });
  return null;
}

export const useSafetyStop = defineStore('safetyStop', () => {
  const workcell = useWorkcell();
  const context = useContext();
  const state = useWorkcellState();
  const act = useAct();

  const seen = useLocalStorage<SeenNodes>(
    'lab-manager.nodes',
    {},
    { serializer: { read: readSeen, write: JSON.stringify } },
  );
  watch(
    () => JSON.stringify(Object.entries(state.data.value?.nodes ?? {}).map(([name, { node_url: url }]) => [name, url])),
    (text) => {
      const address = workcell.value?.address;
      const nodes = (JSON.parse(text) as [string, string | null][]).flatMap(([name, url]): [string, string][] =>
        url === null ? [] : [[name, url]],
      );
      if (address === undefined || nodes.length === 0) return;
      const others = Object.entries(seen.value).filter(([key]) => key !== address);
      seen.value = Object.fromEntries([...others.slice(1 - remembered), [address, Object.fromEntries(nodes)]]);
    },
    { immediate: true },
  );

  /** When it was last pressed, ms since the epoch. */
  const sentAt = ref<number | null>(null);
  const open = ref(false);
  /** Which nodes there are besides the known ones is being asked. */
  const looking = ref(false);
  const rows = ref<readonly StopRow[]>([]);
  const confirmed = computed(() => rows.value.filter(({ outcome }) => outcome.state === 'confirmed').length);
  const sending = computed(() => rows.value.filter(({ outcome }) => outcome.state === 'sending').length);
  let round = 0;

  function put(mine: number, target: StopTarget, outcome: StopOutcome): void {
    if (mine !== round) return;
    // Asked twice, a node keeps the better of its answers.
    const known = rows.value.find(({ name }) => name === target.name)?.outcome;
    if (known !== undefined && !saysMore(outcome, known)) return;
    const others = rows.value.filter(({ name }) => name !== target.name);
    rows.value = [...others, { ...target, outcome }].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async function stopOne(mine: number, target: StopTarget): Promise<void> {
    put(mine, target, sendingOutcome);
    const client = workcell.value?.acts;
    const { name, url } = target;
    await stopNode(
      {
        throughWorkcell:
          client === undefined ? null : (command) => client.sendCommand({ command, node: name }, { deadlineMs }),
        direct: url === null ? null : (command) => askNode(url, command),
        commands: state.data.value?.nodes[name]?.info?.capabilities?.admin_commands ?? null,
        patienceMs,
      },
      (outcome) => put(mine, target, outcome),
    );
  }

  /**
   * Nodes that the page hasn't seen: it was hidden, or has just been opened. Pressed before the lab manager told the
   * addresses, it waits for them, and then goes through the workcell manager to all of its nodes.
   */
  async function stopUnseen(mine: number, known: readonly StopTarget[]): Promise<void> {
    const early = workcell.value === null;
    if (early) {
      context.retry();
      await until(() => workcell.value !== null || context.data.value !== undefined).toBe(true, {
        timeout: deadlineMs,
      });
    }
    const connection = workcell.value;
    if (connection === null || mine !== round) return;
    const names = new Set(early ? [] : known.map(({ name }) => name));
    const nodes = await connection.reads.getNodes({}, { deadlineMs }).catch(() => ({}));
    if (mine !== round) return;
    const seenHere = early ? (seen.value[connection.address] ?? {}) : {};
    const targets = targetsOf(nodes, seenHere, connection.address).filter(({ name }) => !names.has(name));
    await Promise.all(targets.map((target) => stopOne(mine, target)));
  }

  /** At once, to every node at the same time. */
  async function stop(): Promise<void> {
    round += 1;
    const mine = round;
    sentAt.value = Date.now();
    open.value = true;
    rows.value = [];
    looking.value = true;
    const address = workcell.value?.address ?? '';
    // Without an address the lab manager hasn't told it yet: all that this browser ever saw is stopped.
    const before = address === '' ? Object.assign({}, ...Object.values(seen.value)) : (seen.value[address] ?? {});
    const targets = targetsOf(state.data.value?.nodes ?? {}, before, address);
    await Promise.all([...targets.map((target) => stopOne(mine, target)), stopUnseen(mine, targets)]);
    if (mine !== round) return;
    looking.value = false;
    state.retry();
  }

  /** What is read of the nodes is of after the stop. */
  const seenSince = computed(() => (state.receivedAt.value ?? 0) > (sentAt.value ?? 0) + lookMs);
  const releasedAt = ref(0);
  /** Those that say so, and, until they were looked at again, those that confirmed it. */
  const stopped = computed<readonly string[]>(() => {
    const says = Object.entries(state.data.value?.nodes ?? {}).flatMap(([name, node]) =>
      nodeState(node) === 'stopped' ? [name] : [],
    );
    if (seenSince.value || releasedAt.value > (sentAt.value ?? 0)) return says;
    const confirmedNow = rows.value.filter(({ outcome }) => outcome.state === 'confirmed').map(({ name }) => name);
    return [...new Set([...says, ...confirmedNow])].toSorted();
  });

  /** Resets every node that is stopped; each tells its own outcome. */
  async function release(): Promise<void> {
    const client = workcell.value?.acts;
    if (client === undefined) return;
    const names = stopped.value;
    releasedAt.value = Date.now();
    await Promise.all(
      names.map((node) =>
        act({
          what: texts.releaseWhat(node),
          manager: 'workcell',
          run: () => client.sendCommand({ command: 'reset', node }),
          said: ({ success, errors }) =>
            success
              ? { state: 'done', words: '' }
              : { state: 'failed', words: (errors ?? []).map(({ message }) => message ?? '').join('; ') },
        }),
      ),
    );
  }

  return { open, rows, sentAt, looking, confirmed, sending, seenSince, stopped, stop, release };
});
