/**
 * The nodes that this page, or an earlier one in this browser, has seen, and the page's own routes to them: for a stop that
 * the service does not accept.
 */
import { createSharedComposable, useLocalStorage } from '@vueuse/core';
import { watch } from 'vue';
import * as z from 'zod/mini';
import { createClient } from '#api/client/client.ts';
import { resolveNodeAddress } from '#api/hosts.ts';
import { nodeApi } from '#api/managers/node.ts';
import { workcellApi, type Nodes } from '#api/managers/workcell.ts';
import { routeTimeoutMs as timeoutMs, type NodeRoutes, type SendCommand } from '#api/safetyStop/safetyStop.ts';
import type { StopTarget } from '#api/safetyStop/stopReport.ts';
import { startTimeout } from '#api/time/clock.ts';
import { useCommandRefusal } from '../lab/labQueries.ts';
import { useAddress } from '../transport/clients.ts';
import { reportedCommands } from '../workcell/nodeState.ts';
import { useNodes, useWorkcell } from '../workcell/workcellQueries.ts';

const seenNode = z.object({ url: z.string(), commands: z.nullable(z.array(z.string())) });
type SeenNode = z.infer<typeof seenNode>;
/** By the address of their workcell manager, the most recent one last; without an address, `url` is empty. */
const seenNodes = z.record(z.string(), z.record(z.string(), seenNode));
export type SeenNodes = z.infer<typeof seenNodes>;

/** The number of workcell managers whose nodes are stored. */
const maxWorkcells = 5;

/** Parses the stored nodes; invalid content is ignored, because the next response contains the nodes again. */
export function parseSeenNodes(text: string): SeenNodes {
  try {
    return seenNodes.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/**
 * The stored nodes with this workcell as the last key. Missing nodes, addresses and commands in a response don't remove the
 * known ones.
 */
export function mergeSeenNodes(stored: SeenNodes, workcell: string, nodes: Nodes): SeenNodes {
  const others = Object.entries(stored).filter(([address]) => address !== workcell);
  const known = stored[workcell] ?? {};
  const read = Object.entries(nodes).map(([name, node]): [string, SeenNode] => {
    const commands = reportedCommands(node) ?? known[name]?.commands ?? null;
    return [name, { url: node.node_url ?? known[name]?.url ?? '', commands: commands && [...commands] }];
  });
  const merged = read.length === 0 ? known : Object.fromEntries(read);
  return Object.fromEntries([...others.slice(1 - maxWorkcells), [workcell, merged]]);
}

export function listTargets(workcell: string, stored: SeenNodes, nodes: Nodes): StopTarget[] {
  return Object.entries(stored[workcell] ?? {}).map(([name, { url, commands }]) => {
    const status = nodes[name]?.status;
    return {
      name,
      url: resolveNodeAddress(url, workcell),
      commands,
      before: [...(status?.locked === true ? ['lock'] : []), ...(status?.paused === true ? ['pause'] : [])],
      isBusy: status?.busy === true,
    };
  });
}

/** In the desktop window the shell allows the page to read the nodes' responses; other browsers forbid it. */
export const canReadNodes = (): boolean => navigator.userAgent.includes(' Electron/');

/** Sends a command to the node itself; resolves with `null` if its response can't be read. */
function createDirectRoute(url: string): SendCommand {
  if (canReadNodes()) {
    const client = createClient(nodeApi, { baseUrl: url, timeoutMs });
    return (command) => client.sendCommand({ admin_command: command }, { keepalive: true });
  }
  return async (command) => {
    const address = `${url.replace(/\/+$/, '')}/admin/${command}`;
    const { signal, clear } = startTimeout(timeoutMs);
    await fetch(address, { method: 'POST', mode: 'no-cors', cache: 'no-store', keepalive: true, signal }).finally(
      clear,
    );
    return null;
  };
}

export const useKnownNodes = createSharedComposable(() => {
  const workcell = useWorkcell();
  // Known even while the route to the manager is being measured.
  const address = useAddress('workcell');
  const nodes = useNodes();
  const refusal = useCommandRefusal();
  const stored = useLocalStorage<SeenNodes>(
    'lab-manager.nodes',
    {},
    { serializer: { read: parseSeenNodes, write: JSON.stringify } },
  );
  watch(
    [address, nodes] as const,
    ([current, read]) => {
      if (current === null) return;
      const merged = mergeSeenNodes(stored.value, current, read);
      if (JSON.stringify(merged) !== JSON.stringify(stored.value)) stored.value = merged;
    },
    { immediate: true },
  );

  /** The address of the workcell manager, or of the last one while it is unknown; empty without one. */
  const currentAddress = (): string => address.value ?? Object.keys(stored.value).at(-1) ?? '';

  function routesTo({ name, url }: Pick<StopTarget, 'name' | 'url'>): NodeRoutes {
    const baseUrl = currentAddress();
    const client =
      workcell.value?.address === baseUrl
        ? workcell.value.commands
        : baseUrl === ''
          ? null
          : createClient(workcellApi, { baseUrl, timeoutMs, refusalReason: refusal });
    return {
      direct: url === null ? null : createDirectRoute(url),
      workcell: client && ((command) => client.sendCommand({ command, node: name }, { timeoutMs, keepalive: true })),
    };
  }
  return { address, targets: () => listTargets(currentAddress(), stored.value, nodes.value), routesTo };
});
