/** The nodes of a workcell as a safety stop needs them: names, addresses, and supported commands. */
import { nodeAddress } from '../../api/hosts.ts';
import { nodeStatus } from '../../api/managers/node.ts';
import { nodeFlagsOf, nodeState } from '../../api/managers/nodeState.ts';
import { nodeFlags, nodeStates } from '../../api/states.ts';
import * as z from 'zod';
import { cleanText } from '../logging/text.ts';
import type { ManagerReading } from './managerReader.ts';
import { isJsonObject, type JsonObject } from '../net/foreignJson.ts';

const knownNode = z.object({
  name: z.string(),
  /** The node's own address, reachable from this machine; `null` if unknown. */
  url: z.nullable(z.string()),
  /** The commands that it declares; `null` if it was never read. */
  commands: z.nullable(z.array(z.string())),
  /**
   * The commands that had their effect when the node was last read: `lock`, `pause`. A release after a safety stop does
   * not undo these.
   */
  held: z.optional(z.array(z.enum(['lock', 'pause']))),
  /** The state reported by the workcell manager; missing if it reports no readable one. */
  now: z.optional(z.object({ state: z.enum(nodeStates), flags: z.array(z.enum(nodeFlags)) })),
});
type KnownNode = z.infer<typeof knownNode>;

export const knownNodes = z.object({
  /** Address of the workcell manager that listed the nodes. */
  workcell: z.string(),
  nodes: z.array(knownNode),
  /** The followed lab manager of the lab; missing for this machine's own lab. */
  follows: z.optional(z.string()),
  /** Names of invalid records in the response: the list may lack these nodes. */
  skipped: z.optional(z.array(z.string())),
});
export type KnownNodes = z.infer<typeof knownNodes>;

/** A lab has a few dozen; a longer list is invalid. */
const maxNodes = 1000;
const maxName = 1000;
const maxAddress = 2000;
const maxCommands = 100;
const maxText = 2000;

const flags = ['busy', 'paused', 'locked', 'stopped', 'errored', 'disconnected', 'initializing', 'ready'] as const;

/**
 * Reduces `GET /nodes` to the used fields: name, address, commands, flags and the last error of each node. Applied before
 * any limit on the whole response, so that one node's large settings or list of errors hides no other node. Pure.
 */
export function nodeEssentials(body: JsonObject): JsonObject {
  const entries = Object.entries(body).filter(([name]) => name !== '__proto__' && name.length <= maxName);
  return Object.fromEntries(entries.map(([name, value]) => [name, isJsonObject(value) ? essentialsOf(value) : value]));
}

/** In bytes: every node contains all its past errors. */
export const maxNodesBytes = 32 * 1024 * 1024;

/** Nodes change rarely; a safety stop reads them again itself. */
export const nodesReading = {
  path: () => 'nodes',
  requestOptions: () => ({ maxBytes: maxNodesBytes, essentials: nodeEssentials }),
  everyMs: 15_000,
} satisfies ManagerReading;

function essentialsOf({ node_url: url, status, info }: JsonObject): JsonObject {
  return {
    node_url: typeof url === 'string' && url.length <= maxAddress ? url : null,
    status: isJsonObject(status) ? statusOf(status) : null,
    info: { capabilities: { admin_commands: commandsOf(info) } },
  };
}

function statusOf(status: JsonObject): JsonObject {
  const { errors, waiting_for_config: waiting } = status;
  const last: unknown = Array.isArray(errors) ? errors.at(-1) : null;
  const message = isJsonObject(last) ? last['message'] : null;
  return {
    // A missing flag is false, as in MADSci's own models.
    ...Object.fromEntries(flags.map((flag) => [flag, status[flag] === true])),
    waiting_for_config: Array.isArray(waiting)
      ? waiting.filter((one): one is string => typeof one === 'string').slice(0, maxCommands)
      : [],
    errors: typeof message === 'string' ? [{ message: message.slice(0, maxText) }] : [],
  };
}

function commandsOf(info: unknown): readonly string[] | null {
  const capabilities = isJsonObject(info) ? info['capabilities'] : null;
  const commands = isJsonObject(capabilities) ? capabilities['admin_commands'] : null;
  if (!Array.isArray(commands)) return null;
  return commands
    .filter((one): one is string => typeof one === 'string' && one.length <= maxCommands)
    .slice(0, maxCommands);
}

/**
 * Reads the nodes from a response of the workcell manager at `workcell` (`GET /nodes`), sorted by name. A node with only
 * a readable name is kept, because it can be stopped through the workcell manager. Pure.
 * @returns `null` if the response is not a list of nodes
 */
export function knownNodesOf(workcell: string, body: JsonObject): KnownNodes | null {
  const entries = Object.entries(body);
  if (entries.length > maxNodes) return null;
  const isNode = (value: unknown): boolean => value === null || isJsonObject(value);
  const skipped = entries.filter(([, value]) => !isNode(value)).map(([name]) => name);
  if (skipped.length > 0 && skipped.length === entries.length) return null;
  const nodes = entries
    .filter(([, value]) => isNode(value))
    .map(([name, value]): KnownNode => {
      const node = isJsonObject(value) ? value : {};
      const url = node['node_url'];
      const commands = commandsOf(node['info']);
      const lockFlags = lockFlagsOf(node['status']);
      const status = nodeStatus.safeParse(node['status']);
      return {
        name,
        url: typeof url === 'string' ? nodeAddress(url, workcell) : null,
        commands: commands === null ? null : [...commands],
        ...(lockFlags.length === 0 ? {} : { held: lockFlags }),
        ...(status.success && {
          now: { state: nodeState({ status: status.data }), flags: [...nodeFlagsOf({ status: status.data })] },
        }),
      };
    });
  const sorted = nodes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { workcell, nodes: sorted, ...(skipped.length === 0 ? {} : { skipped }) };
}

function lockFlagsOf(status: unknown): ('lock' | 'pause')[] {
  if (!isJsonObject(status)) return [];
  return [
    ...(status['locked'] === true ? (['lock'] as const) : []),
    ...(status['paused'] === true ? (['pause'] as const) : []),
  ];
}

/**
 * The list of nodes after a response: a response that is empty or lacks records never removes a node, and a node without
 * address or commands keeps the earlier ones. Pure.
 */
export function mergeKnownNodes(before: KnownNodes | null, now: KnownNodes): KnownNodes {
  const { workcell, nodes, skipped = [] } = now;
  if (before === null || before.workcell !== workcell) return { workcell, nodes };
  const known = new Map(before.nodes.map((node) => [node.name, node]));
  const merged = nodes.map((node) => {
    const old = known.get(node.name);
    return { ...node, url: node.url ?? old?.url ?? null, commands: node.commands ?? old?.commands ?? null };
  });
  if (nodes.length > 0 && skipped.length === 0) return { workcell, nodes: merged };
  const names = new Set(nodes.map(({ name }) => name));
  const retained = [...merged, ...before.nodes.filter(({ name }) => !names.has(name))];
  return { workcell, nodes: retained.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** The log message about entries that are not nodes; empty if there are none. */
export function nodesWarning(workcell: string, nodes: KnownNodes | null): string {
  const retained = 'the safety stop keeps the nodes that were known';
  if (nodes === null) return `${workcell} did not answer with a list of at most ${maxNodes} nodes: ${retained}`;
  const { skipped = [] } = nodes;
  if (skipped.length === 0) return '';
  return `${workcell}: ${skipped.length} records are no nodes (${cleanText(skipped.slice(0, 10).join(', '))}): ${retained}`;
}
