/** Whom the safety stop goes to: every node that this page, or an earlier one in this browser, has seen. Pure. */
import { nodeAddress } from '../../../api/hosts.ts';
import type { Nodes } from '../../../api/managers/workcell.ts';
import type { StopTarget } from '../../../api/safetyStop/stopReport.ts';
import { knownCommands } from '../workcell/nodeState.ts';

export interface SeenNode {
  readonly url: string;
  readonly commands: readonly string[] | null;
}

/** Nodes that were seen, by the address of their workcell manager: the one that the page knew last stands last. */
export type SeenNodes = Readonly<Record<string, Readonly<Record<string, SeenNode>>>>;

/** Workcell managers whose nodes are remembered. */
const remembered = 5;

/** What was kept, whatever is in it now. */
export function readSeen(text: string): SeenNodes {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).map(([workcell, nodes]) => [workcell, nodesOf(nodes)]));
  } catch {
    // What is broken says nothing; the nodes are seen again with the next answer.
    return {};
  }
}

function nodesOf(nodes: unknown): Record<string, SeenNode> {
  if (typeof nodes !== 'object' || nodes === null) return {};
  return Object.fromEntries(
    Object.entries(nodes).flatMap(([name, node]) => {
      const seen = nodeOf(node);
      return seen === null ? [] : [[name, seen]];
    }),
  );
}

/** Earlier versions kept the address alone. */
function nodeOf(node: unknown): SeenNode | null {
  if (typeof node === 'string') return { url: node, commands: null };
  if (typeof node !== 'object' || node === null || !('url' in node) || typeof node.url !== 'string') return null;
  const commands = 'commands' in node && Array.isArray(node.commands) ? node.commands : null;
  return { url: node.url, commands: commands?.every((each) => typeof each === 'string') === true ? commands : null };
}

/** What is worth keeping of an answer of the workcell manager; the address is empty where the record doesn't have it. */
export function seenOf(nodes: Nodes): Record<string, SeenNode> {
  return Object.fromEntries(
    Object.entries(nodes).map(([name, node]) => [name, { url: node.node_url ?? '', commands: knownCommands(node) }]),
  );
}

/**
 * With this workcell last. An answer without nodes takes nothing away of what was known, nor does a node's record without
 * its address or commands.
 */
export function remember(seen: SeenNodes, workcell: string, nodes: Readonly<Record<string, SeenNode>>): SeenNodes {
  const others = Object.entries(seen).filter(([address]) => address !== workcell);
  const before = seen[workcell] ?? {};
  const merged = Object.entries(nodes).flatMap(([name, { url, commands }]): [string, SeenNode][] => {
    const known = before[name];
    const address = url === '' ? known?.url : url;
    return address === undefined ? [] : [[name, { url: address, commands: commands ?? known?.commands ?? null }]];
  });
  const stored = merged.length > 0 ? Object.fromEntries(merged) : before;
  return Object.fromEntries([...others.slice(1 - remembered), [workcell, stored]]);
}

/** The workcell manager that a page of this browser knew last, of the lab manager at this address; `''`: none. */
export function lastWorkcell(seen: SeenNodes): string {
  return Object.keys(seen).at(-1) ?? '';
}

/** All nodes of a workcell once; what the current answer says of one counts before an earlier one. */
export function targetsOf(workcell: string, now: Nodes, seen: Readonly<Record<string, SeenNode>>): StopTarget[] {
  const names = [...new Set([...Object.keys(now), ...Object.keys(seen)])].toSorted();
  return names.map((name) => {
    const node = now[name];
    const url = node?.node_url ?? seen[name]?.url ?? null;
    const commands = (node === undefined ? null : knownCommands(node)) ?? seen[name]?.commands ?? null;
    return { workcell, name, url: url === null ? null : nodeAddress(url, workcell), commands };
  });
}
