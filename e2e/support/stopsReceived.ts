/**
 * Counts the commands that a node received: a page's requests, or a node that is already stopped, do not prove that a
 * press had an effect.
 */
import type { DemoLab } from '../../demo/lab/lab.ts';

/** How many safety stops a node of the demo lab received. */
export function stopsReceived({ nodes }: DemoLab, name: string): number {
  const received = nodes.find((node) => node.name === name)?.receivedCommands ?? [];
  return received.filter((command) => command === 'safety_stop').length;
}
