/** The targets of the safety stop: every node that this page, or an earlier one in this browser, has seen. Pure. */
import { resolveNodeAddress } from '../../../api/hosts.ts';
import type { Nodes } from '../../../api/managers/workcell.ts';
import type { StopTarget } from '../../../api/safetyStop/stopReport.ts';
import { reportedCommands } from '../workcell/nodeState.ts';

export interface SeenNode {
  readonly url: string;
  readonly commands: readonly string[] | null;
}

/** The nodes seen, by the address of their workcell manager; the most recent workcell manager is the last key. */
export type SeenNodes = Readonly<Record<string, Readonly<Record<string, SeenNode>>>>;

/** The number of workcell managers whose nodes are stored. */
const maxWorkcells = 5;

/** Parses the stored nodes; skips invalid content. */
export function parseSeenNodes(text: string): SeenNodes {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).map(([workcell, nodes]) => [workcell, parseNodes(nodes)]));
  } catch {
    // Invalid content is ignored; the next response contains the nodes again.
    return {};
  }
}

function parseNodes(nodes: unknown): Record<string, SeenNode> {
  if (typeof nodes !== 'object' || nodes === null) return {};
  return Object.fromEntries(
    Object.entries(nodes).flatMap(([name, node]) => {
      const seenNode = parseNode(node);
      return seenNode === null ? [] : [[name, seenNode]];
    }),
  );
}

/** Earlier versions stored only the address. */
function parseNode(node: unknown): SeenNode | null {
  if (typeof node === 'string') return { url: node, commands: null };
  if (typeof node !== 'object' || node === null || !('url' in node) || typeof node.url !== 'string') return null;
  const commands = 'commands' in node && Array.isArray(node.commands) ? node.commands : null;
  return {
    url: node.url,
    commands: commands?.every((command) => typeof command === 'string') === true ? commands : null,
  };
}

/** Returns the data to store from a workcell manager's response; the address is empty if the record has none. */
export function toSeenNodes(nodes: Nodes): Record<string, SeenNode> {
  return Object.fromEntries(
    Object.entries(nodes).map(([name, node]) => [name, { url: node.node_url ?? '', commands: reportedCommands(node) }]),
  );
}

/**
 * Returns the stored nodes with this workcell as the last key. Missing nodes, addresses and commands in a response don't
 * remove the known ones.
 */
export function mergeSeenNodes(
  seenNodes: SeenNodes,
  workcell: string,
  nodes: Readonly<Record<string, SeenNode>>,
): SeenNodes {
  const others = Object.entries(seenNodes).filter(([address]) => address !== workcell);
  const storedNodes = seenNodes[workcell] ?? {};
  const merged = Object.entries(nodes).flatMap(([name, { url, commands }]): [string, SeenNode][] => {
    const stored = storedNodes[name];
    const address = url === '' ? stored?.url : url;
    return address === undefined ? [] : [[name, { url: address, commands: commands ?? stored?.commands ?? null }]];
  });
  const knownNodes = merged.length > 0 ? Object.fromEntries(merged) : storedNodes;
  return Object.fromEntries([...others.slice(1 - maxWorkcells), [workcell, knownNodes]]);
}

/** Returns the address of the workcell manager that this browser used last; `''`: none. */
export function lastWorkcell(seenNodes: SeenNodes): string {
  return Object.keys(seenNodes).at(-1) ?? '';
}

/** Returns all nodes of a workcell once; the current response has precedence over stored data. */
export function listTargets(
  workcell: string,
  current: Nodes,
  seenNodes: Readonly<Record<string, SeenNode>>,
): StopTarget[] {
  const names = [...new Set([...Object.keys(current), ...Object.keys(seenNodes)])].toSorted();
  return names.map((name) => {
    const node = current[name];
    const url = node?.node_url ?? seenNodes[name]?.url ?? null;
    const commands = (node === undefined ? null : reportedCommands(node)) ?? seenNodes[name]?.commands ?? null;
    return { workcell, name, url: url === null ? null : resolveNodeAddress(url, workcell), commands };
  });
}

/** Adds the nodes of which only the name is known. */
export function addNamedTargets(
  targets: readonly StopTarget[],
  workcell: string,
  names: readonly string[],
): StopTarget[] {
  const knownNames = new Set(targets.map(({ name }) => name));
  const addedNames = names.filter((name) => !knownNames.has(name));
  return [...targets, ...addedNames.map((name) => ({ workcell, name, url: null, commands: null }))];
}
