/** Helpers for the actions of the demo lab's instruments. */
import type { ActionCall, ActionEnd, NodeKind } from './definition.ts';

export const seconds = (length: number) => length * 1000;

/** Increments a counter in the node's state. */
export function incrementCounter(call: ActionCall, key: string, amount = 1): void {
  const current = call.state[key];
  call.state[key] = (typeof current === 'number' ? current : 0) + amount;
}

export const failAction = (message: string, type: string): ActionEnd => ({ status: 'failed', message, type });

/** Returns the places of a node and a template for them. */
export function deck(
  template: string,
  places: readonly string[],
): Pick<NodeKind, 'intrinsicLocations' | 'locationTemplates'> {
  return {
    intrinsicLocations: places.map((place, index) => ({
      location_name: place,
      description: null,
      representation_template_name: template,
      representation_overrides: { slot: index + 1 },
      resource_template_name: null,
      resource_template_overrides: null,
      allow_transfers: true,
      tags: null,
    })),
    locationTemplates: [
      {
        template_name: template,
        default_values: { slot: 0 },
        schema_def: null,
        required_overrides: null,
        tags: null,
        version: '1.0.0',
        description: null,
      },
    ],
  };
}

/** Returns the resource of a location argument; null if the workcell has none. */
function resourceAt(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('resource_id' in value)) return null;
  return typeof value.resource_id === 'string' ? value.resource_id : null;
}

/** Moves the recorded resource; returns the failure, or null on success. */
export function moveResource(call: ActionCall, from: string, to: string): ActionEnd | null {
  const [source, target] = [resourceAt(call.args[from]), resourceAt(call.args[to])];
  const failure = source === null || target === null ? null : call.world.move(source, target);
  return failure === null ? null : failAction(failure, 'TransferError');
}
