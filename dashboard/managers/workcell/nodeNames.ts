/** Names of nodes by their ID: events and datapoints only have IDs. Pure. */
import type { Nodes } from '../../../api/managers/workcell.ts';

export function nodeNames(nodes: Nodes): ReadonlyMap<string, string> {
  return new Map(Object.entries(nodes).flatMap(([name, { info }]) => (info?.node_id ? [[info.node_id, name]] : [])));
}
