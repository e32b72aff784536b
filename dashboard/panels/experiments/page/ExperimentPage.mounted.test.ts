import { within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import type { Event } from '#api/managers/event.ts';
import { respondAsManagers } from '#dashboard/fixtures/managerResponses.ts';
import { click, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleExperiment } from '#dashboard/fixtures/sampleRecords.ts';
import { experimentsTexts as texts } from '../texts.ts';
import ExperimentPage from './ExperimentPage.vue';

it('a change from the page is listed once, without waiting for the next poll', async () => {
  const id = '01JAR5ZV1XJ6W3C1V5T0F2N8QY';
  let status = 'in_progress';
  const events: Event[] = [];
  respondAsManagers({
    experiment: ({ method, path }) => {
      if (method === 'POST') {
        status = 'paused';
        const source = { experiment_id: id };
        const event_data = { message: 'paused' };
        const event_timestamp = new Date().toISOString();
        events.push({ _id: 'M', event_type: 'experiment_pause', log_level: 20, event_timestamp, source, event_data });
      }
      const experiment = sampleExperiment(id, { status });
      return path.includes(id) ? experiment : [experiment];
    },
    event: ({ path, body }) => {
      if (path !== '/event') return Object.fromEntries(events.map((event) => [event['_id'], event]));
      const stored = { ...(body as Event), event_timestamp: new Date().toISOString() };
      events.push(stored);
      return stored;
    },
    data: () => ({}),
    workcell: () => ({}),
  });
  const { page, router } = mountComponent(ExperimentPage);
  await router.push({ name: 'experiment', params: { id } });
  const { verb, title } = texts.changes.pause;
  await click(await page.findByRole('button', { name: `${verb}…` }));
  await click(within(await page.findByRole('alertdialog')).getByRole('button', { name: title }));
  const region = await page.findByRole('region', { name: 'Changes' });
  // The manager's event, and the lab manager's record of the command.
  expect(events).toHaveLength(2);
  expect(within(region).getAllByRole('listitem')).toHaveLength(1);
});
