/** A new location with what stands there: two requests, because the manager drops the resource of a new location. */
import type { Client } from '../../../api/client/client.ts';
import type { Location, locationApi, NewLocation } from '../../../api/managers/location.ts';

export interface AddedLocation {
  readonly location: Location;
  /** Why the resource isn't attached; `null` where it is, or none was wanted. */
  readonly notAttached: string | null;
}

/**
 * Adds the location, then attaches the resource. Where only the first half was done the location stays, and the answer
 * says why the second wasn't.
 * @throws ManagerError when the location wasn't added
 */
export async function addLocation(
  client: Pick<Client<typeof locationApi>, 'addLocation' | 'attachResource'>,
  body: NewLocation,
  resource: string | null,
): Promise<AddedLocation> {
  const location = await client.addLocation({ body });
  if (resource === null) return { location, notAttached: null };
  const { location_name, location_id } = location;
  try {
    const attached = await client.attachResource({ location_name, location_id, resource_id: resource });
    return { location: attached, notAttached: null };
  } catch (error) {
    return { location, notAttached: error instanceof Error ? error.message : String(error) };
  }
}
