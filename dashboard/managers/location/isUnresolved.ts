/**
 * Whether a location waits for its resource. A separate module, because the first page needs nothing else of locations.
 */
import type { Location } from '#api/managers/locationList.ts';

/** Returns whether it has a resource template but no resource. */
export function isUnresolved({ resource_id: id, resource_template_name: template }: Location): boolean {
  return (id ?? null) === null && typeof template === 'string' && template !== '';
}
