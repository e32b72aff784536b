/** Locations that wait for the resource of their template, and why. */
import type { Location } from '#api/managers/location.ts';
import { isUnresolved } from './isUnresolved.ts';

export interface UnresolvedLocation {
  readonly location: Location;
  /** The name of the resource template. */
  readonly template: string;
  /**
   * `missing`: the resource manager has no such template. `capitalized`: the manager searches names in lower case, so a
   * name with capitals is never found. `found`: the template exists, so the next reconciliation creates the resource,
   * unless the manager rejects it. `unknown`: the manager's templates are unknown.
   */
  readonly reason: 'missing' | 'capitalized' | 'found' | 'unknown';
}

/** @param templates names of the resource manager's templates; `null` if they can't be read */
export function findUnresolvedLocations(
  locations: readonly Location[],
  templates: ReadonlySet<string> | null,
): readonly UnresolvedLocation[] {
  return locations.filter(isUnresolved).map((location): UnresolvedLocation => {
    const template = location.resource_template_name ?? '';
    const hasCapitals = template !== template.toLowerCase();
    const reason = hasCapitals
      ? 'capitalized'
      : templates === null
        ? 'unknown'
        : templates.has(template)
          ? 'found'
          : 'missing';
    return { location, template, reason };
  });
}
