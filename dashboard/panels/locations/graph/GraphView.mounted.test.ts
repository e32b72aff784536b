import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { respondAsLocationManager, withLoadedLocations } from '#dashboard/fixtures/locationResponses.ts';
import { mountComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleLocation } from '#dashboard/fixtures/sampleLocation.ts';
import { defaultView } from '#dashboard/components/table/rows/tableRows.ts';
import GraphView from './GraphView.vue';

it('the graph shows why the transfers can’t be loaded', async () => {
  const rows = [sampleLocation('rack')];
  respondAsLocationManager({
    locations: rows,
    respondToOther: () => Response.json({ detail: 'No planner' }, { status: 500 }),
  });
  const { page } = mountComponent(withLoadedLocations(GraphView), {
    rows,
    columns: [],
    view: defaultView,
    chosen: new Set(),
  });
  await waitFor(() => expect(page.getByRole('alert').textContent).toContain('No planner'));
});
