/**
 * Counts the safety stops that a node received: a page's request may not arrive, and the state of a node may be that of
 * an earlier stop.
 */
import type { DemoLab } from '../../demo/lab/lab.ts';

/** Returns how many safety stops a node of the demo lab received. @throws Error if there is no such node */
export function countSafetyStops({ nodes }: DemoLab, name: string): number {
  const node = nodes.find((candidate) => candidate.name === name);
  if (node === undefined) throw new Error(`The demo lab has no node ${name}`);
  return node.receivedCommands.filter((command) => command === 'safety_stop').length;
}
