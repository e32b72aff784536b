/** The nodes of a workcell as a safety stop needs them: names, addresses, and supported commands. */
import { isObject } from '../../api/client/wire.ts';
import { resolveNodeAddress } from '../../api/hosts.ts';
import { nodeStatus } from '../../api/managers/node.ts';
import { otherNodeFlags, nodeState } from '../../api/managers/nodeState.ts';
import { nodeFlags, nodeStates } from '../../api/states.ts';
import * as z from 'zod';
import { cleanText } from '../logging/text.ts';
import type { JsonObject } from '../net/foreignJson.ts';

const knownNode = z.object({
  name: z.string(),
  /** The node's own address, reachable from this machine; `null` if unknown. */
  url: z.nullable(z.string()),
  /** The commands that it declares; `null` if it was never read. */
  commands: z.nullable(z.array(z.string())),
  /**
   * The commands that were in effect when the node was last read. A release after a safety stop does not undo these.
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
  /** Names of invalid records in the response, which are missing in `nodes`. */
  skipped: z.optional(z.array(z.string())),
});
export type KnownNodes = z.infer<typeof knownNodes>;

/** A lab has a few dozen; a longer list is invalid. */
const maxNodes = 1000;
const maxName = 1000;
const maxAddress = 2000;
const maxCommands = 100;
const maxCommandLength = 100;
const maxText = 2000;

const flags = ['busy', 'paused', 'locked', 'stopped', 'errored', 'disconnected', 'initializing', 'ready'] as const;

/**
 * Reduces the body of `GET /nodes` to the used fields: name, address, commands, flags and the last error of each node.
 * This happens before the response is limited in size, so that one node with large settings hides no other node.
 */
export function nodeEssentials(body: JsonObject): JsonObject {
  const entries = Object.entries(body).filter(([name]) => name !== '__proto__' && name.length <= maxName);
  return Object.fromEntries(entries.map(([name, value]) => [name, isObject(value) ? reduceNode(value) : value]));
}

/** Maximum size of the response in bytes: every node contains all its past errors. */
export const maxNodesBytes = 32 * 1024 * 1024;

/** The periodic request of the nodes. The interval is long, because a safety stop reads the nodes again itself. */
export const nodesRequest = {
  path: 'nodes',
  maxBytes: maxNodesBytes,
  reduce: nodeEssentials,
  intervalMs: 15_000,
} as const;

function reduceNode({ node_url: url, status, info }: JsonObject): JsonObject {
  return {
    node_url: typeof url === 'string' && url.length <= maxAddress ? url : null,
    status: isObject(status) ? reduceStatus(status) : null,
    info: { capabilities: { admin_commands: readCommands(info) } },
  };
}

function reduceStatus(status: JsonObject): JsonObject {
  const { errors, waiting_for_config: waiting } = status;
  const last: unknown = Array.isArray(errors) ? errors.at(-1) : null;
  const message = isObject(last) ? last['message'] : null;
  return {
    // A missing flag is false, as in MADSci's own models.
    ...Object.fromEntries(flags.map((flag) => [flag, status[flag] === true])),
    waiting_for_config: Array.isArray(waiting)
      ? waiting.filter((name): name is string => typeof name === 'string').slice(0, maxCommands)
      : [],
    errors: typeof message === 'string' ? [{ message: message.slice(0, maxText) }] : [],
  };
}

function readCommands(info: unknown): readonly string[] | null {
  const capabilities = isObject(info) ? info['capabilities'] : null;
  const commands = isObject(capabilities) ? capabilities['admin_commands'] : null;
  if (!Array.isArray(commands)) return null;
  return commands
    .filter((command): command is string => typeof command === 'string' && command.length <= maxCommandLength)
    .slice(0, maxCommands);
}

/**
 * Reads the nodes from the body of `GET /nodes` of the workcell manager at `workcell`, sorted by name. A node without
 * other readable fields is included, because it can be stopped through the workcell manager.
 * @returns `null` if the response is not a list of nodes
 */
export function readKnownNodes(workcell: string, body: JsonObject): KnownNodes | null {
  const entries = Object.entries(body);
  if (entries.length > maxNodes) return null;
  const isNode = (value: unknown): boolean => value === null || isObject(value);
  const skipped = entries.filter(([, value]) => !isNode(value)).map(([name]) => name);
  if (skipped.length > 0 && skipped.length === entries.length) return null;
  const nodes = entries
    .filter(([, value]) => isNode(value))
    .map(([name, value]): KnownNode => {
      const node = isObject(value) ? value : {};
      const url = node['node_url'];
      const commands = readCommands(node['info']);
      const activeCommands = readActiveCommands(node['status']);
      const status = nodeStatus.safeParse(node['status']);
      return {
        name,
        url: typeof url === 'string' ? resolveNodeAddress(url, workcell) : null,
        commands: commands === null ? null : [...commands],
        ...(activeCommands.length === 0 ? {} : { held: activeCommands }),
        ...(status.success && {
          now: { state: nodeState({ status: status.data }), flags: [...otherNodeFlags({ status: status.data })] },
        }),
      };
    });
  const sorted = nodes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { workcell, nodes: sorted, ...(skipped.length === 0 ? {} : { skipped }) };
}

function readActiveCommands(status: unknown): ('lock' | 'pause')[] {
  if (!isObject(status)) return [];
  return [
    ...(status['locked'] === true ? (['lock'] as const) : []),
    ...(status['paused'] === true ? (['pause'] as const) : []),
  ];
}

/**
 * Merges the nodes of a response into the known ones: an empty or incomplete response never removes a node, and a node
 * without address or commands keeps its previous ones.
 */
export function mergeKnownNodes(before: KnownNodes | null, now: KnownNodes): KnownNodes {
  const { workcell, nodes, skipped = [] } = now;
  if (before === null || before.workcell !== workcell) return { workcell, nodes };
  const previous = new Map(before.nodes.map((node) => [node.name, node]));
  const merged = nodes.map((node) => {
    const earlier = previous.get(node.name);
    return { ...node, url: node.url ?? earlier?.url ?? null, commands: node.commands ?? earlier?.commands ?? null };
  });
  if (nodes.length > 0 && skipped.length === 0) return { workcell, nodes: merged };
  const names = new Set(nodes.map(({ name }) => name));
  const retained = [...merged, ...before.nodes.filter(({ name }) => !names.has(name))];
  return { workcell, nodes: retained.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** The log message about a response, or records in it, that are not nodes; empty if there are none. */
export function nodesWarning(workcell: string, nodes: KnownNodes | null): string {
  const retained = 'the safety stop keeps the nodes that were known';
  if (nodes === null) return `${workcell} did not answer with a list of at most ${maxNodes} nodes: ${retained}`;
  const { skipped = [] } = nodes;
  if (skipped.length === 0) return '';
  return `${workcell}: ${skipped.length} records are not nodes (${cleanText(skipped.slice(0, 10).join(', '))}): ${retained}`;
}
