/** Which workflows use a location or a resource. Pure. */
import type { Workflow } from '../../../api/managers/workflow.ts';

type Step = Workflow['steps'][number];

/** Names and IDs of the locations and resources that a step names: as it was written, and as the workcell filled it in. */
function namedBy({ locations, args }: Step): readonly string[] {
  const places = Object.values(locations ?? {}).flatMap((place) =>
    typeof place === 'string' ? [place] : [place?.location_name, place?.location_id, place?.resource_id],
  );
  const values = Object.values(args ?? {}).flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]));
  return [...places, ...values].flatMap((name) => (typeof name === 'string' && name !== '' ? [name] : []));
}

/**
 * Those whose steps name one of these: a location by its name or ID, a resource by its ID.
 * @param names of which an empty one names nothing
 */
export function workflowsThatUse(workflows: readonly Workflow[], names: Iterable<string>): readonly Workflow[] {
  const requested = new Set(names);
  return workflows.filter(({ steps }) => steps.some((step) => namedBy(step).some((name) => requested.has(name))));
}
