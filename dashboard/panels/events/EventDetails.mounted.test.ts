import { expect, it } from 'vitest';
import { commandSource } from '#api/commandRecord.ts';
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import { sampleEvent } from '../../fixtures/sampleRecords.ts';
import EventDetails from './EventDetails.vue';

it.each([
  [commandSource, 1],
  ['workcell_manager', 0],
])('the details of an event of %s state whether its sender is unproven', (component_name, count) => {
  respondAsManagers({ event: () => ({}) });
  const event = sampleEvent('A', { event_data: { message: 'Safety stop released (adm)', component_name } });
  const { page } = mountComponent(EventDetails, { event });
  expect(
    page.queryAllByText(
      'The event log doesn’t prove who sent a command: any program that reaches the event manager can write such a record.',
    ),
  ).toHaveLength(count);
});
