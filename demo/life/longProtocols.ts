/** Protocols of as many steps as are asked for, over the nodes in turn: for a lab of any size. */
import { readDefinition } from '../workcell/definition.ts';
import type { Definition } from '../workcell/run.ts';

const names = ['Screen', 'Assay', 'Dilution series', 'Calibration'] as const;

export function longProtocols(steps: number, nodes: readonly string[], ulid: () => string): readonly Definition[] {
  return names.map((name, shift) =>
    readDefinition(
      {
        name,
        steps: Array.from({ length: steps }, (_none, index) => ({
          name: `${name} ${index + 1}`,
          node: nodes[(index + shift) % Math.max(1, nodes.length)],
          action: 'run',
        })),
      },
      ulid,
    ),
  );
}
