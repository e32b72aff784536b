/**
 * Changes fields of a location for which MADSci has no endpoint: reads the location, merges the change, and sends the
 * whole location, to 0.8 as an import with `overwrite`, to 0.7 as a new location with the same ID. Changes by others
 * between the two requests are overwritten.
 */
import type { Client } from '#api/client/client.ts';
import type { Location, locationApi, NewLocation } from '#api/managers/location.ts';
import type { LabVersion } from '#api/version.ts';
import { NotConfirmedError } from '../commands/commandResult.ts';
import { sameValue } from '#api/sameJson.ts';
import { findConflicts, unacceptedConflicts, type Conflict } from '../commands/conflicts.ts';
import { findDifferences, type Difference } from './locationFields.ts';

/** The editable fields. */
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
 * @throws ManagerError if it can't be read or is rejected, Error if the manager skipped it, NotConfirmedError if the
 * response lacks the edit
 */
export async function saveLocation(
  client: Pick<Client<typeof locationApi>, 'findLocation' | 'importLocations' | 'addLocation'>,
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
