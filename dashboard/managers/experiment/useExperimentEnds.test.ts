import { expect, it } from 'vitest';
import { latestEnds } from './useExperimentEnds.ts';

const event = (id: unknown, event_timestamp: string) => ({
  _id: 'e',
  event_timestamp,
  event_data: { experiment_id: id },
});

it('latestEnds returns the time of the last event that ended an experiment', () => {
  const at = (stamp: string) => (stamp === '?' ? null : Number(stamp));
  const events = [event('a', '5'), event('a', '9'), event('a', '7'), event('b', '?'), event(7, '3')];
  expect([...latestEnds(events, at)]).toEqual([['a', 9]]);
  expect(latestEnds([{ _id: 'e', event_timestamp: '1', event_data: 'text' }], at).size).toBe(0);
});
