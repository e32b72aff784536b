/** Locations that wait for the resource of their template, and why. Pure. */
import type { Location } from '../../../api/managers/location.ts';
import { isUnresolved } from './isUnresolved.ts';

export interface Unresolved {
  readonly location: Location;
  /** The resource template that it waits for. */
  readonly template: string;
  /**
   * `missing`: the resource manager has no such template. `capitals`: it looks names up in lower case, so that one with
   * capitals is never found. `there`: it has one, so the next reconciliation makes the resource, or the resource manager
   * refuses. `unknown`: nobody knows which templates it has.
   */
  readonly why: 'missing' | 'capitals' | 'there' | 'unknown';
}

/** @param templates names of the resource manager's templates; `null` where they can't be read */
export function unresolvedLocations(
  locations: readonly Location[],
  templates: ReadonlySet<string> | null,
): readonly Unresolved[] {
  return locations.filter(isUnresolved).map((location): Unresolved => {
    const template = location.resource_template_name ?? '';
    const unreachable = template !== template.toLowerCase();
    const why = unreachable
      ? 'capitals'
      : templates === null
        ? 'unknown'
        : templates.has(template)
          ? 'there'
          : 'missing';
    return { location, template, why };
  });
}
