import type { Location } from '../../../../api/managers/location.ts';
import type { ResourceIndex } from '../../../managers/resource/resourceIndex.ts';
import type { ResourceRow } from '../../../managers/resource/resourceRow.ts';

/** Returns the location of a resource or of the resource that contains it. */
export function locationOf(row: ResourceRow, index: ResourceIndex, locations: readonly Location[]): Location | null {
  const above = [row, ...index.pathOf(row).toReversed()];
  for (const { id } of above) {
    const found = locations.find((location) => location.resource_id === id);
    if (found !== undefined) return found;
  }
  return null;
}
