/** Tests the editing of a location: the whole location is sent, and concurrent changes are not lost silently. */
import { waitFor } from '@testing-library/dom';
import { expect, it, vi } from 'vitest';
import { respondAsLocationManager, withLoadedLocations } from '#dashboard/fixtures/locationResponses.ts';
import { sampleLocation } from '#dashboard/fixtures/sampleLocation.ts';
import { click, fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { useOutcomes } from '#dashboard/managers/commands/outcomes.ts';
import EditDialog from './EditDialog.vue';
import ReservationNote from './ReservationNote.vue';
import { editTexts as texts } from '../texts.ts';

const rack = sampleLocation('rack', { description: 'Old', resource_id: 'plate', representations: { arm: 1 } });

it('an edit sends every field and shows another user’s change before it overwrites it', async () => {
  let storedLocation = { ...rack, description: 'Theirs', resource_id: 'tips' };
  const manager = respondAsLocationManager({
    locations: [rack],
    respondToOther: ({ path, body }) => {
      if (path === '/location') return storedLocation;
      [storedLocation] = body as [typeof storedLocation];
      return { imported: 1, skipped: 0, errors: [], locations: [storedLocation] };
    },
  });
  const onClose = vi.fn();
  const { page } = mountComponent(withLoadedLocations(EditDialog), { location: rack, onClose });
  const press = (name: string) => click(page.getByRole('button', { name }));
  await waitFor(() => page.getByLabelText(texts.description));
  await press(texts.save);
  expect(page.getAllByText('Nothing was changed.')).toHaveLength(1);
  await fill(page.getByLabelText(texts.description), 'Mine');
  await click(page.getByLabelText(texts.transfers));
  await press(texts.save);
  await waitFor(() => page.getByRole('alert'));
  expect(page.getByRole('listitem').textContent).toContain('Theirs');
  expect(manager.requests).toEqual([]);
  await press('Overwrite');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(manager.requests).toMatchObject([
    {
      path: '/locations/import',
      query: { overwrite: 'true' },
      // A resource that was attached concurrently is kept.
      body: [{ ...rack, description: 'Mine', allow_transfers: false, resource_id: 'tips' }],
    },
  ]);
  expect(useOutcomes().list[0]?.text).toBe(texts.savedWithOtherChanges(['Resource']));
});

it('an edit keeps the line break at the end of an unchanged description', async () => {
  const location = { ...rack, description: 'From the file\n' };
  const manager = respondAsLocationManager({
    locations: [location],
    respondToOther: ({ path, body }) =>
      path === '/location' ? location : { imported: 1, skipped: 0, errors: [], locations: body },
  });
  const { page } = mountComponent(withLoadedLocations(EditDialog), { location });
  await click(await waitFor(() => page.getByRole('button', { name: texts.save })));
  expect(page.getAllByText('Nothing was changed.')).toHaveLength(1);
  await click(page.getByLabelText(texts.transfers));
  await click(page.getByRole('button', { name: texts.save }));
  await waitFor(() =>
    expect(manager.requests).toMatchObject([
      { path: '/locations/import', body: [{ description: 'From the file\n', allow_transfers: false }] },
    ]),
  );
});

it.each([
  [
    '2020-01-01T00:00:00Z',
    'The reservation has expired, but the scheduler of MADSci 0.8.1 does not check that: it starts no step at a reserved location.',
  ],
  ['2999-01-01T00:00:00Z', 'It has not expired: U1 may rely on it. Workflows that wait for this location will start.'],
])('a reservation until %s is cleared after an explanation', async (expires, expected) => {
  const reservedLocation = {
    ...rack,
    reservation: { owned_by: { user_id: 'U1' }, created: '2019-01-01T00:00:00Z', expires },
  };
  const manager = respondAsLocationManager({
    locations: [reservedLocation],
    respondToOther: ({ path }) =>
      path === '/location' ? reservedLocation : { imported: 1, skipped: 0, errors: [], locations: [] },
  });
  const { page } = mountComponent(withLoadedLocations(ReservationNote), {
    location: reservedLocation,
    blocked: null,
    readOnly: false,
  });
  await click(await waitFor(() => page.getByRole('button', { name: texts.reservation.clear })));
  expect(page.getAllByText(expected)).toHaveLength(1);
  await click(page.getByRole('button', { name: texts.reservation.action }));
  await waitFor(() =>
    expect(manager.requests).toMatchObject([
      { path: '/locations/import', body: [{ location_name: 'rack', reservation: null }] },
    ]),
  );
});
