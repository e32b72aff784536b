/** The safety stop of the whole lab: who it goes to, by which ways, and what came of it for each node. */
import { useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';
import type { AdminCommandAnswer } from '../../../api/action.ts';
import { createClient } from '../../../api/client.ts';
import { nodeApi } from '../../../api/node.ts';
import { useAct } from '../../managers/act.ts';
import { nodeState } from '../../managers/nodeState.ts';
import { useWorkcell, useWorkcellState } from '../../managers/workcell.ts';
import { safetyStopTexts as texts } from '../texts/safetyStop.ts';
import { stopNode, type StopOutcome } from './stopNode.ts';
import { readSeen, targetsOf, type SeenNodes, type StopTarget } from './targets.ts';

/** How long the workcell manager has before nodes are asked themselves as well, in ms. */
const patienceMs = 1500;
/** For one way to one node, in ms. */
const deadlineMs = 10_000;
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
async function askNode(url: string): Promise<AdminCommandAnswer | null> {
  if (readsNodes()) {
    try {
      return await createClient(nodeApi, { baseUrl: url, deadlineMs }).sendCommand({ admin_command: 'safety_stop' });
    } catch {
      // Not readable, or not reached: the request below tells which. A second stop does no harm.
    }
  }
  const address = `${url.replace(/\/+$/, '')}/admin/safety_stop`;
  await fetch(address, { method: 'POST', mode: 'no-cors', cache: 'no-store', signal: AbortSignal.timeout(deadlineMs) });
  return null;
}

export const useSafetyStop = defineStore('safetyStop', () => {
  const workcell = useWorkcell();
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
  const rows = ref<readonly StopRow[]>([]);
  const confirmed = computed(() => rows.value.filter(({ outcome }) => outcome.state === 'confirmed').length);
  const sending = computed(() => rows.value.filter(({ outcome }) => outcome.state === 'sending').length);
  let round = 0;

  function put(mine: number, target: StopTarget, outcome: StopOutcome): void {
    if (mine !== round) return;
    const others = rows.value.filter(({ name }) => name !== target.name);
    rows.value = [...others, { ...target, outcome }].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async function stopOne(mine: number, target: StopTarget): Promise<void> {
    put(mine, target, { state: 'sending', direct: false, reason: '' });
    const client = workcell.value?.acts;
    const { name, url } = target;
    await stopNode(
      {
        throughWorkcell:
          client === undefined
            ? null
            : () => client.sendCommand({ command: 'safety_stop', node: name }, { deadlineMs }),
        direct: url === null ? null : () => askNode(url),
        patienceMs,
      },
      (outcome) => put(mine, target, outcome),
    );
  }

  /** Nodes that the page hasn't seen: it was hidden, or has just been opened. */
  async function stopUnseen(mine: number, known: readonly StopTarget[]): Promise<void> {
    const connection = workcell.value;
    if (connection === null) return;
    const names = new Set(known.map(({ name }) => name));
    const nodes = await connection.reads.getNodes({}, { deadlineMs }).catch(() => ({}));
    const targets = targetsOf(nodes, {}, connection.address).filter(({ name }) => !names.has(name));
    await Promise.all(targets.map((target) => stopOne(mine, target)));
  }

  /** At once, to every node at the same time. */
  async function stop(): Promise<void> {
    round += 1;
    const mine = round;
    sentAt.value = Date.now();
    open.value = true;
    rows.value = [];
    const address = workcell.value?.address ?? '';
    // Without an address the lab manager hasn't told it yet: all that this browser ever saw is stopped.
    const before = address === '' ? Object.assign({}, ...Object.values(seen.value)) : (seen.value[address] ?? {});
    const targets = targetsOf(state.data.value?.nodes ?? {}, before, address);
    await Promise.all([...targets.map((target) => stopOne(mine, target)), stopUnseen(mine, targets)]);
    state.retry();
  }

  const stopped = computed(() =>
    Object.entries(state.data.value?.nodes ?? {}).flatMap(([name, node]) =>
      nodeState(node) === 'stopped' ? [name] : [],
    ),
  );

  /** Resets every node that says it is stopped; each tells its own outcome. */
  async function release(): Promise<void> {
    const client = workcell.value?.acts;
    if (client === undefined) return;
    await Promise.all(
      stopped.value.map((node) =>
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

  return { open, rows, sentAt, confirmed, sending, stopped, stop, release };
});
