/** A new location with what stands there: two requests, because the manager drops the resource of a new location. */
import { errorText } from '../../../api/errorText.ts';
import type { Location, NewLocation } from '../../../api/managers/location.ts';
import { otherLocationOf, type LocationClient } from './locationPremise.ts';

export interface AddedLocation {
  readonly location: Location;
  /** Why the resource isn't attached; `null` where it is, or none was wanted. */
  readonly notAttached: string | null;
}

/**
 * Adds the location, then attaches the resource. Where only the first half was done the location stays, and the answer
 * says why the second wasn't.
 * @param all the locations as they were read right before; `null` where they could not be
 * @throws ManagerError when the location wasn't added
 */
export async function addLocation(
  client: Pick<LocationClient, 'addLocation' | 'attachResource' | 'detachResource'>,
  body: NewLocation,
  resource: string | null,
  all: readonly Location[] | null,
): Promise<AddedLocation> {
  const location = await client.addLocation({ body });
  if (resource === null) return { location, notAttached: null };
  const { location_name, location_id } = location;
  try {
    const attached = await attachHere(client, { location_name, location_id }, resource, all);
    return { location: attached, notAttached: null };
  } catch (error) {
    return { location, notAttached: errorText(error) };
  }
}

/** Attaches the resource, and detaches it first from another location where it stands by `all`. */
export async function attachHere(
  client: Pick<LocationClient, 'attachResource' | 'detachResource'>,
  at: { readonly location_name: string; readonly location_id: string },
  resource: string,
  all: readonly Location[] | null,
): Promise<Location> {
  const before = otherLocationOf(all, resource, at.location_id);
  if (before !== null) {
    const { location_name, location_id } = before;
    await client.detachResource({ location_name, location_id });
  }
  return client.attachResource({ ...at, resource_id: resource });
}
