/** What a node itself received: requests of a page and a node that is stopped already prove no press. */
import type { DemoLab } from '../../demo/lab/lab.ts';

/** How many safety stops a node of the demo lab received. */
export function stopsReceived({ nodes }: DemoLab, name: string): number {
  const received = nodes.find((node) => node.name === name)?.received ?? [];
  return received.filter((command) => command === 'safety_stop').length;
}
