import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { respondAsLocationManager, withLoadedLocations } from '#dashboard/fixtures/locationResponses.ts';
import { sampleLocation } from '#dashboard/fixtures/sampleLocation.ts';
import { click, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { useOutcomes } from '#dashboard/managers/commands/outcomes.ts';
import ReconciliationCard from './ReconciliationCard.vue';
import { reconciliationTexts as texts } from '../texts.ts';

it('the card shows the last reconciliation, unresolved locations and the result of a new reconciliation', async () => {
  const manager = respondAsLocationManager({
    locations: [sampleLocation('nest_1', { resource_template_name: 'nest' }), sampleLocation('rack')],
    respondToOther: ({ path }) =>
      path === '/reconcile'
        ? { resources_resolved: 1, representations_updated: 0, training_skipped: 2 }
        : { last_reconciliation_at: '2026-01-15T12:00:00+00:00', last_results: { resources_resolved: 0 } },
  });
  const { page } = mountComponent(withLoadedLocations(ReconciliationCard), { blocked: null });
  await waitFor(() => expect(page.getAllByText(new RegExp(texts.results(null)))).toHaveLength(1));
  expect(page.getByRole('listitem').textContent).toBe(`nest_1${texts.unresolvedReason('nest', null)}`);
  await click(page.getByRole('button', { name: texts.now }));
  await waitFor(() =>
    expect(useOutcomes().list[0]?.text).toBe(
      'Reconciled: 1 resource created, 2 training entries without a location skipped.',
    ),
  );
  expect(manager.requests).toMatchObject([{ method: 'POST', path: '/reconcile' }]);
});

it.each([
  ['nest', new Set(['rack']), /which the resource manager doesn’t have$/],
  ['nest', new Set(['nest']), /which the next reconciliation creates/],
  ['Nest', new Set(['Nest']), /which is never found/],
  ['nest', null, /^waits for the resource template nest$/],
] as const)('a location with the template “%s” is unresolved with the templates %o for the reason %s', (...input) => {
  const [template, templates, reason] = input;
  expect(texts.unresolvedReason(template, templates)).toMatch(reason);
});
