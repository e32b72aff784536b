/**
 * Counts the commands that a node received: neither a page's requests nor a stopped node prove that a press had an
 * effect.
 */
import type { DemoLab } from '../../demo/lab/lab.ts';

/** Returns how many safety stops a node of the demo lab received. */
export function stopsReceived({ nodes }: DemoLab, name: string): number {
  const received = nodes.find((node) => node.name === name)?.receivedCommands ?? [];
  return received.filter((command) => command === 'safety_stop').length;
}
