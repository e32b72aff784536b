/** Finds the workflows that use a location or a resource. */
import type { Workflow } from '#api/managers/workflow.ts';

type Step = Workflow['steps'][number];

/** Returns the names and IDs of locations and resources in a step, both as submitted and as resolved by the workcell. */
function listReferences({ locations, args }: Step): readonly string[] {
  const locationRefs = Object.values(locations ?? {}).flatMap((location) =>
    typeof location === 'string' ? [location] : [location?.location_name, location?.location_id, location?.resource_id],
  );
  const values = Object.values(args ?? {}).flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]));
  return [...locationRefs, ...values].flatMap((name) => (typeof name === 'string' && name !== '' ? [name] : []));
}

/**
 * Returns the workflows whose steps refer to one of these: a location by name or ID, a resource by ID.
 * @param names an empty one matches nothing
 */
export function findWorkflowsUsing(workflows: readonly Workflow[], names: Iterable<string>): readonly Workflow[] {
  const searchedNames = new Set(names);
  return workflows.filter(({ steps }) =>
    steps.some((step) => listReferences(step).some((name) => searchedNames.has(name))),
  );
}
