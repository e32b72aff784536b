/** The list when its manager is busy, fails, or answers by halves. */
import { afterEach, it, vi } from 'vitest';
import { faultCases, seesFault, type FaultCase } from '../../fixtures/faultCases.ts';
import { sampleEvent, byId } from '../../fixtures/records.ts';
import EventsPanel from './EventsPanel.vue';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it.each(faultCases)('says so when it is %s, waits, and keeps what was read', async (...fault: FaultCase) => {
  await seesFault(
    EventsPanel,
    'event',
    byId(sampleEvent('a', { event_data: { message: 'the lid is on' } })),
    'the lid is on',
    fault,
  );
});
