/** What a node itself received: requests of a page and a node that is stopped already prove no press. */
import type { DemoLab } from '../../demo/lab/lab.ts';

/** How many safety stops a node of the demo lab received. */
export function stopsReceived({ nodes }: DemoLab, name: string): number {
  const lines = Object.values(nodes.find((node) => node.name === name)?.log() ?? {});
  return lines.filter(({ event_data: line }) => String(line).endsWith('admin command: safety_stop')).length;
}
