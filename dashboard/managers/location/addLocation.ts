/** Adds a location with its resource in two requests, because the manager ignores the resource of a new location. */
import { errorText } from '../../../api/errorText.ts';
import type { Location, NewLocation } from '../../../api/managers/location.ts';
import { otherLocationOf, type LocationClient } from './locationPremise.ts';

export interface AddedLocation {
  readonly location: Location;
  /** The reason why the resource isn't attached; `null` if it is, or none was given. */
  readonly notAttached: string | null;
}

/**
 * Adds the location, then attaches the resource. If attaching fails the location stays, and the result contains the
 * reason.
 * @param all the locations as they were read right before; `null` if the read failed
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

/** Attaches the resource, after detaching it from another location if `all` contains one. */
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
