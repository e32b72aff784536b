/** The contents of a location, and the location of a resource. */
import type { LocationState } from '#api/states.ts';
import { andMore } from '#api/countText.ts';
import { naturalOrder } from '../../base/texts.ts';
import { isUnresolved, type Location } from '#api/managers/locationList.ts';
import { isContainer, type ResourceRow } from '../resource/resourceRow.ts';
import type { ResourceIndex } from '../resource/resourceIndex.ts';

export interface LocationContents {
  readonly state: LocationState;
  /** The location's container, or the resource attached to it. */
  readonly resource: ResourceRow | null;
  /** The contents of its container; the attached resource itself if that isn't a container. */
  readonly contents: readonly ResourceRow[];
}

/** @param index `null` if resources can't be read */
export function getLocationContents(location: Location, index: ResourceIndex | null): LocationContents {
  const id = location.resource_id ?? null;
  const nothing = { resource: null, contents: [] };
  if (id === null) {
    return { state: isUnresolved(location) ? 'unresolved' : 'noResource', ...nothing };
  }
  const resource = index?.byId.get(id) ?? null;
  if (resource === null) return { state: 'unknown', ...nothing };
  if (!isContainer(resource)) return { state: 'occupied', resource, contents: [resource] };
  const contents = index?.getChildren(resource) ?? [];
  return { state: contents.length === 0 ? 'empty' : 'occupied', resource, contents };
}

interface ContainerFill {
  readonly type: string;
  /** The number of resources in it. */
  readonly children: number;
  readonly capacity: number | null;
}

/**
 * Returns whether a location's resource can't contain another one. A resource that is not a container is the content
 * itself.
 */
export function hasNoRoom({ type, children, capacity }: ContainerFill): boolean {
  switch (type) {
    case 'asset':
    case 'resource':
      return true;
    case 'slot':
      return children >= (capacity ?? 1);
    case 'stack':
    case 'queue':
      return capacity !== null && children >= capacity;
    default:
      return false;
  }
}

/** Returns the names of the contents in one line. */
export function formatContents(contents: readonly ResourceRow[]): string {
  const names = contents.slice(0, 2).map(({ name }) => name);
  return contents.length <= 2 ? names.join(', ') : `${names.join(', ')} ${andMore(contents.length - 2)}`;
}

/** Returns the nodes with a representation for a location. */
export function representedNodes({ representations }: Location): readonly string[] {
  return Object.keys(representations ?? {}).toSorted(naturalOrder.compare);
}

/** Returns the location of a resource or of the resource that contains it. */
export function findResourceLocation(
  row: ResourceRow,
  index: ResourceIndex,
  locations: readonly Location[],
): Location | null {
  const ancestors = [row, ...index.findPath(row).toReversed()];
  for (const { id } of ancestors) {
    const candidate = locations.find((location) => location.resource_id === id);
    if (candidate !== undefined) return candidate;
  }
  return null;
}
