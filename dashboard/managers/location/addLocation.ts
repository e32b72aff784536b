/** Adds a location with its resource in two requests, because the manager ignores the resource of a new location. */
import { errorText } from '#api/errorText.ts';
import type { Location, NewLocation } from '#api/managers/location.ts';
import { findOtherLocation, type LocationClient } from './locationPremise.ts';

export interface AddedLocation {
  readonly location: Location;
  /** The reason why the resource isn't attached; `null` if it is, or none was given. */
  readonly attachFailure: string | null;
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
  if (resource === null) return { location, attachFailure: null };
  const { location_name, location_id } = location;
  try {
    const attached = await attachExclusively(client, { location_name, location_id }, resource, all);
    return { location: attached, attachFailure: null };
  } catch (error) {
    return { location, attachFailure: errorText(error) };
  }
}

/** Attaches the resource, after detaching it from another location if `all` contains one. */
export async function attachExclusively(
  client: Pick<LocationClient, 'attachResource' | 'detachResource'>,
  target: { readonly location_name: string; readonly location_id: string },
  resource: string,
  all: readonly Location[] | null,
): Promise<Location> {
  const previousLocation = findOtherLocation(all, resource, target.location_id);
  if (previousLocation !== null) {
    const { location_name, location_id } = previousLocation;
    await client.detachResource({ location_name, location_id });
  }
  return client.attachResource({ ...target, resource_id: resource });
}
