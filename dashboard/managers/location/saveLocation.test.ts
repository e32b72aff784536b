import { describe, expect, it, vi } from 'vitest';
import type { Location } from '#api/managers/location.ts';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import { mergeLocation, saveLocation, type LocationEdit, type SaveRequest } from './saveLocation.ts';

const initialLocation = sampleLocation('rack', {
  description: 'Old',
  resource_id: 'plate',
  representations: { arm: 1 },
});

describe('merging an edit with the stored location', () => {
  it('sends every field with its current value except the edited ones and names the changes of others', () => {
    const now = { ...initialLocation, resource_id: 'tips', representations: { arm: 2 }, colour: 'red' };
    const { body, conflicts, otherChanges } = mergeLocation(initialLocation, now, { allow_transfers: false });
    expect(body).toEqual({ ...now, allow_transfers: false });
    expect(conflicts).toEqual([]);
    expect(otherChanges.map(({ field }) => field)).toEqual(['resource_id', 'colour', 'representations.arm']);
  });

  it.each<[LocationEdit, Partial<Location>, string[]]>([
    [{ description: 'Mine' }, { description: 'Theirs' }, ['description']],
    [{ description: 'Mine' }, { description: 'Mine' }, []],
    [{ description: 'Mine' }, {}, []],
    [{ allow_transfers: false }, { description: 'Theirs' }, []],
  ])('finds the conflicts of %j with %j: %j', (edit, meanwhile, fields) => {
    const { conflicts } = mergeLocation(initialLocation, { ...initialLocation, ...meanwhile }, edit);
    expect(conflicts.map(({ field }) => field)).toEqual(fields);
  });

  it('sends an empty object when 0.7 returns null as the representations', () => {
    expect(
      mergeLocation(initialLocation, { ...initialLocation, representations: null }, {}).body.representations,
    ).toEqual({});
  });
});

describe('saving a location', () => {
  const imported = (count: number, errors: string[] = [], locations: Location[] = []) => ({
    imported: count,
    skipped: 0,
    errors,
    locations,
  });
  const editedLocation = { ...initialLocation, description: 'Mine' };
  const client = (now: Location = initialLocation) => ({
    findLocation: vi.fn(async () => now),
    importLocations: vi.fn(async () => imported(1, [], [editedLocation])),
    addLocation: vi.fn(async () => editedLocation),
  });
  const request: SaveRequest = {
    initialLocation,
    edit: { description: 'Mine' },
    acceptedConflicts: [],
    version: '0.8',
  };

  it('reads the location, then imports it with every field', async () => {
    const locationClient = client();
    expect(await saveLocation(locationClient, request)).toHaveProperty('saved');
    expect(locationClient.importLocations).toHaveBeenCalledWith({
      overwrite: true,
      body: [{ ...initialLocation, description: 'Mine' }],
    });
    expect(locationClient.addLocation).not.toHaveBeenCalled();
  });

  it('fails when the response lacks the edit', async () => {
    const old = {
      ...client(),
      importLocations: vi.fn(async () => imported(1, [], [initialLocation])),
      addLocation: vi.fn(async () => initialLocation),
    };
    await expect(saveLocation(old, request)).rejects.toThrow(
      'The location manager answered, but its answer does not show the edit. Check the location before trying again.',
    );
    await expect(saveLocation(old, { ...request, version: '0.7' })).rejects.toThrow(
      'The location manager answered, but its answer does not show the edit. Check the location before trying again.',
    );
  });

  it('adds the location again with its ID in 0.7', async () => {
    const locationClient = client();
    await saveLocation(locationClient, { ...request, version: '0.7' });
    expect(locationClient.addLocation).toHaveBeenCalledWith({ body: { ...initialLocation, description: 'Mine' } });
    expect(locationClient.importLocations).not.toHaveBeenCalled();
  });

  it('does not overwrite an unseen change, and does after the user accepted it', async () => {
    const locationClient = client({ ...initialLocation, description: 'Theirs' });
    const first = await saveLocation(locationClient, request);
    if (!('conflicts' in first)) throw new Error('There is no conflict');
    expect(first.conflicts).toMatchObject([
      { field: 'description', initialValue: 'Old', currentValue: 'Theirs', editedValue: 'Mine' },
    ]);
    expect(locationClient.importLocations).not.toHaveBeenCalled();
    await saveLocation(locationClient, { ...request, acceptedConflicts: first.conflicts });
    expect(locationClient.importLocations).toHaveBeenCalledTimes(1);
    // The location changed again.
    locationClient.findLocation.mockResolvedValue({ ...initialLocation, description: 'Theirs again' });
    expect(await saveLocation(locationClient, { ...request, acceptedConflicts: first.conflicts })).toHaveProperty(
      'conflicts',
    );
  });

  it.each([
    [["Error importing location 'rack': no"], "Error importing location 'rack': no"],
    [[], 'The location manager did not save it: the location may have been deleted.'],
  ])('fails with the manager’s message when the location was not imported: %j', async (errors, message) => {
    const locationClient = { ...client(), importLocations: vi.fn(async () => imported(0, errors)) };
    await expect(saveLocation(locationClient, request)).rejects.toThrow(message);
  });
});
