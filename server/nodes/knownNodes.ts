/** The nodes of a workcell as a safety stop needs them: names, addresses, and what each can be told. */
import { nodeAddress } from '../../api/hosts.ts';
import * as z from 'zod';
import type { JsonObject } from '../http/outgoing/askJson.ts';

export const knownNode = z.object({
  name: z.string(),
  /** The node's own address, reachable from this machine; `null` where none is known. */
  url: z.nullable(z.string()),
  /** The commands that it says it knows; `null` where it was never heard. */
  commands: z.nullable(z.array(z.string())),
});
export type KnownNode = z.infer<typeof knownNode>;

export const knownNodes = z.object({
  /** Address of the workcell manager that told of them. */
  workcell: z.string(),
  nodes: z.array(knownNode),
});
export type KnownNodes = z.infer<typeof knownNodes>;

/** A lab has a few dozen; more than this is no list of nodes. */
const maxNodes = 1000;

/** As much of a node as is used here; whatever else the manager says of it doesn't matter. */
const heardNode = z.object({
  node_url: z.string().nullish().catch(null),
  info: z
    .object({
      capabilities: z
        .object({ admin_commands: z.array(z.string()).nullish().catch(null) })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});

/**
 * What the workcell manager at `workcell` says of its nodes (`GET /nodes`), sorted by name. Pure.
 * @returns `null` when that is no list of nodes
 */
export function knownNodesOf(workcell: string, body: JsonObject): KnownNodes | null {
  const entries = Object.entries(body);
  if (entries.length > maxNodes) return null;
  const nodes: KnownNode[] = [];
  for (const [name, value] of entries) {
    const heard = heardNode.safeParse(value);
    if (!heard.success) return null;
    const { node_url: url, info } = heard.data;
    nodes.push({
      name,
      url: url == null ? null : nodeAddress(url, workcell),
      commands: info?.capabilities?.admin_commands ?? null,
    });
  }
  return { workcell, nodes: nodes.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}
