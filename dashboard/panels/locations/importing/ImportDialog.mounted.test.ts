import { fireEvent, waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import {
  respondAsLocationManager,
  withLoadedLocations,
  type LocationResponses,
} from '#dashboard/fixtures/locationResponses.ts';
import { sampleLocation } from '#dashboard/fixtures/sampleLocation.ts';
import { click, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { schemaFormTexts } from '#dashboard/components/form/texts.ts';
import ImportDialog from './ImportDialog.vue';
import { importingTexts as texts } from '../texts.ts';

const rack = sampleLocation('rack', { description: 'Stored' });

async function openDialog(
  text: string | Uint8Array<ArrayBuffer>,
  respondToOther: LocationResponses['respondToOther'] = () => undefined,
) {
  const manager = respondAsLocationManager({ locations: [rack], respondToOther });
  const mounted = mountComponent(withLoadedLocations(ImportDialog), {});
  const file = await waitFor(() => mounted.page.getByLabelText(texts.file));
  fireEvent.change(file, { target: { files: [new File([text], 'locations.yaml')] } });
  const row = (name: string) => waitFor(() => mounted.page.getByRole('row', { name: new RegExp(name) }));
  return { ...mounted, manager, row };
}

const mixed = `
locations:
  - location_name: bench
  - {location_name: rack, description: From the file}
  - location_name: a b
`;

it('the import shows overwritten fields, omits invalid locations and shows the result of each location', async () => {
  const { page, row, manager } = await openDialog(mixed, () => ({
    imported: 1,
    skipped: 0,
    errors: ["Error importing location 'rack': it is busy"],
    locations: [sampleLocation('bench')],
  }));
  expect((await row('bench')).textContent).toContain(texts.effect.new);
  expect((await row('rack')).textContent).toContain(texts.effect.unchanged);
  const differences = (await row('rack')).textContent;
  expect(differences).toContain('Stored');
  expect(differences).toContain('From the file');
  expect((await row('a b')).textContent).toContain(texts.effect.invalid);
  await click(page.getByLabelText(texts.overwrite));
  expect((await row('rack')).textContent).toContain(texts.effect.overwritten);
  await click(page.getByRole('button', { name: texts.action(2) }));
  expect((await row('it is busy')).textContent).toContain(texts.outcome.failed);
  expect((await row('bench')).textContent).toContain(texts.outcome.imported);
  expect(manager.requests).toMatchObject([
    {
      path: '/locations/import',
      query: { overwrite: 'true' },
      body: [{ location_name: 'bench' }, { location_name: 'rack' }],
    },
  ]);
});

it('the import refuses a file in another encoding than UTF-8', async () => {
  const { page } = await openDialog(Uint8Array.from([0x2d, 0x20, 0x47, 0x72, 0xf6, 0xdf, 0x65]));
  await waitFor(() => page.getByText(texts.unreadable('locations.yaml', schemaFormTexts.notText)));
});

it.each([
  ['name: x', 'locations.yaml is not a list of locations and has no list “locations”.'],
  ['[]', 'locations.yaml has no locations.'],
])('the import shows why %j can’t be imported', async (text, reason) => {
  const { page } = await openDialog(text);
  await waitFor(() => expect(page.getAllByText(reason)).toHaveLength(1));
  expect(page.queryByRole('button', { name: /^Import \d/ })).toBeNull();
});

it('the import of a lab’s locations.yaml lists the sections that are not imported, with their counts', async () => {
  const { page, row } = await openDialog(`
representation_templates:
  - {template_name: rail_access, default_values: {speed: 40}}
  - {template_name: deck_access}
location_templates:
  - {template_name: deck_slot, representation_templates: {rail: rail_access}}
locations:
  - {location_name: bench}
training:
  - {location_name: bench, node_name: rail_1, representation_template_name: rail_access, overrides: {}}
`);
  await row('bench');
  const omitted = [
    { name: 'representation_templates', count: 2 },
    { name: 'location_templates', count: 1 },
    { name: 'training', count: 1 },
  ];
  expect(page.getAllByText(texts.omitted(omitted))).toHaveLength(1);
});
