/** How a container holds what is in it, by its type. Pure. */
import type { ResourceRow } from './resourceRow.ts';

const pushed: ReadonlySet<string> = new Set(['stack', 'queue', 'slot']);
const byKey: ReadonlySet<string> = new Set(['container', 'collection', 'pool']);
const places: ReadonlySet<string> = new Set(['row', 'grid', 'voxel_grid']);

export const isContainer = ({ type }: Pick<ResourceRow, 'type'>): boolean =>
  pushed.has(type) || byKey.has(type) || places.has(type);
export const holdsInOrder = ({ type }: Pick<ResourceRow, 'type'>): boolean => pushed.has(type);
export const holdsByKey = ({ type }: Pick<ResourceRow, 'type'>): boolean => byKey.has(type);
export const holdsInPlaces = ({ type }: Pick<ResourceRow, 'type'>): boolean => places.has(type);
