/** Whether a location waits for its resource. By itself, because the first page needs no more of locations. Pure. */
import type { Location } from '../../../api/managers/locationList.ts';

/** It names a resource template, and has no resource. */
export function isUnresolved({ resource_id: id, resource_template_name: template }: Location): boolean {
  return (id ?? null) === null && typeof template === 'string' && template !== '';
}
