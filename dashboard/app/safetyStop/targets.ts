/** Whom the safety stop goes to: every node that this page, or an earlier one in this browser, has seen. Pure. */
import { isOwnMachine } from '../../managers/addresses.ts';

export interface StopTarget {
  readonly name: string;
  /** The node's own address for this page; `null` where none is known. */
  readonly url: string | null;
}

/** Nodes that were seen, by the address of their workcell manager. */
export type SeenNodes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What was kept, whatever is in it now. */
export function readSeen(text: string): SeenNodes {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).map(([workcell, nodes]) => [workcell, textsOf(nodes)]));
  } catch {
    // What is broken says nothing; the nodes are seen again with the next answer.
    return {};
  }
}

function textsOf(nodes: unknown): Record<string, string> {
  if (typeof nodes !== 'object' || nodes === null) return {};
  return Object.fromEntries(
    Object.entries(nodes).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/**
 * A node's address for this page. The workcell manager may know it as one of its own machine (`localhost`), which means
 * that machine, wherever the page is.
 */
export function nodeAddress(url: string, workcell: string): string | null {
  if (!URL.canParse(url)) return null;
  const address = new URL(url);
  if (address.protocol !== 'http:' && address.protocol !== 'https:') return null;
  if (isOwnMachine(address.hostname) && URL.canParse(workcell)) address.hostname = new URL(workcell).hostname;
  return address.href;
}

/** All nodes once; the current answer's address counts before an earlier one. */
export function targetsOf(
  now: Readonly<Record<string, { readonly node_url?: string | null | undefined }>>,
  seen: Readonly<Record<string, string>>,
  workcell: string,
): StopTarget[] {
  const names = [...new Set([...Object.keys(now), ...Object.keys(seen)])].toSorted();
  return names.map((name) => {
    const url = now[name]?.node_url ?? seen[name] ?? null;
    return { name, url: url === null ? null : nodeAddress(url, workcell) };
  });
}
