/** Adds and changes locations, where MADSci needs several requests. */
import { errorText } from '#api/errorText.ts';
import type { Location, NewLocation } from '#api/managers/location.ts';
import type { LabVersion } from '#api/version.ts';
import { NotConfirmedError } from '../commands/commandResult.ts';
import { sameValue } from '#api/sameJson.ts';
import { findConflicts, unacceptedConflicts, type Conflict } from '../commands/conflicts.ts';
import { findDifferences, type Difference } from './locationFields.ts';
import { findOtherLocation, type LocationClient } from './locationPremise.ts';

export interface LocationEdit {
  readonly description?: string | null;
  readonly allow_transfers?: boolean;
  /** A reservation can only be removed, because MADSci never creates one. */
  readonly reservation?: null;
}

export interface MergedLocation {
  /** All current fields with the edits applied. */
  readonly body: NewLocation;
  readonly conflicts: readonly Conflict[];
  /** Changes by others, which are kept. */
  readonly otherChanges: readonly Difference[];
}

/** @param initialLocation the location when the edit began @param current the manager's current one. */
export function mergeLocation(initialLocation: Location, current: Location, edit: LocationEdit): MergedLocation {
  const edits = Object.entries(edit).filter(([, value]) => value !== undefined);
  const conflicts = findConflicts(
    edits.map(([field, value]) => ({
      field,
      initialValue: initialLocation[field],
      currentValue: current[field],
      editedValue: value,
    })),
  );
  const body: NewLocation = {
    ...current,
    representations: current.representations ?? {},
    ...Object.fromEntries(edits),
  };
  const changesByOthers = findDifferences(initialLocation, {
    ...current,
    representations: current.representations ?? {},
  });
  return {
    body,
    conflicts,
    otherChanges: changesByOthers.filter(({ field }) => !edits.some(([edited]) => edited === field)),
  };
}

export type SavedLocation = { readonly saved: MergedLocation } | { readonly conflicts: readonly Conflict[] };

export interface SaveRequest {
  readonly initialLocation: Location;
  readonly edit: LocationEdit;
  /** Conflicts that were shown and are now overwritten. */
  readonly acceptedConflicts: readonly Conflict[];
  readonly version: LabVersion | null;
}

/**
 * Changes fields of a location for which MADSci has no endpoint: reads the location, merges the change, and sends the
 * whole location, to 0.8 as an import with `overwrite`, to 0.7 as a new location with the same ID. Changes by others
 * between the two requests are overwritten.
 * @throws ManagerError if it can't be read or is rejected, Error if the manager skipped it, NotConfirmedError if the
 * response lacks the edit
 */
export async function saveLocation(
  client: Pick<LocationClient, 'findLocation' | 'importLocations' | 'addLocation'>,
  { initialLocation, edit, acceptedConflicts, version }: SaveRequest,
): Promise<SavedLocation> {
  const current = await client.findLocation({ location_id: initialLocation.location_id });
  const merged = mergeLocation(initialLocation, current, edit);
  const conflicts = unacceptedConflicts(merged.conflicts, acceptedConflicts);
  if (conflicts.length > 0) return { conflicts };
  let stored: Location | undefined;
  if (version === '0.7') stored = await client.addLocation({ body: merged.body });
  else {
    const response = await client.importLocations({ overwrite: true, body: [merged.body] });
    if (response.imported !== 1)
      throw new Error(
        response.errors[0] ?? 'The location manager did not save it: the location may have been deleted.',
      );
    stored = response.locations.find((candidate) => candidate.location_name === merged.body.location_name);
  }
  const isStored = Object.entries(edit).every(
    ([field, value]) => value === undefined || sameValue(stored?.[field], value),
  );
  if (stored === undefined || !isStored)
    throw new NotConfirmedError(
      'The location manager answered, but its answer does not show the edit. Check the location before trying again.',
    );
  return { saved: merged };
}

export interface AddedLocation {
  readonly location: Location;
  /** The reason why the resource isn't attached; `null` if it is, or none was given. */
  readonly attachFailure: string | null;
}

/**
 * Adds the location, then attaches the resource in a second request, because the manager ignores the resource of a new
 * one. If attaching fails, the location stays, and the result contains the reason.
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
