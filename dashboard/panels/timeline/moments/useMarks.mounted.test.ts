/** What is said of nodes by a manager whose clock isn't known yet, in another zone than the page. */
import { waitFor } from '@testing-library/dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ref, watch } from 'vue';
import { formatManagerTime } from '../../../../api/time.ts';
import { matches } from '../../../../demo/serving/selector.ts';
import { readAgain } from '../../../fixtures/locationAnswers.ts';
import { answerAsManagers } from '../../../fixtures/managerAnswers.ts';
import { inComponent } from '../../../fixtures/mounted.ts';
import { sampleEvent } from '../../../fixtures/records.ts';
import { pollingSchedule } from '../../../managers/transport/poll/pollingSchedule.ts';
import { useManagerTime } from '../../../managers/transport/time/managerTime.ts';
import { useMarks } from './useMarks.ts';

afterEach(() => void vi.unstubAllGlobals());

const hour = 3_600_000;
const own = 0 - new Date().getTimezoneOffset();

/** An event manager so many minutes east of this machine. */
function eventManager(east: number) {
  const stored: { readonly id: string; readonly at: number }[] = [];
  const asked = answerAsManagers({
    event: ({ path, body }) =>
      path !== '/events/query'
        ? undefined
        : Object.fromEntries(
            stored
              .map(({ id, at }) =>
                sampleEvent(id, {
                  event_type: 'node_error',
                  event_timestamp: formatManagerTime(new Date(at), own + east),
                }),
              )
              .filter((event) => matches(event, body as Record<string, unknown>))
              .map((event) => [event['_id'], event]),
          ),
  });
  return { stored, asked };
}

describe('the marks of the last hour', () => {
  it.each([
    ['nine hours east', 9 * 60],
    ['in this zone', 0],
    ['eight hours west', -8 * 60],
  ])('of a manager %s are known once its clock is, and lie where they belong', async (_where, east) => {
    const { stored } = eventManager(east);
    const before = Date.now() - hour / 2;
    stored.push({ id: 'long ago', at: Date.now() - 3 * hour }, { id: 'before', at: before });
    const now = Date.now();
    const { live, marks, known } = inComponent(() => useMarks(ref({ from: now - hour, to: now }), ref(now))).result;
    await waitFor(() => expect(live.data.value).toBeDefined());
    expect(known.value).toBe(false);
    stored.push({ id: 'new', at: now });
    readAgain();
    await waitFor(() => expect([known.value, marks.value.map(({ id }) => id)]).toEqual([true, ['before', 'new']]), {
      timeout: 4000,
    });
    expect(Math.abs((marks.value[0]?.at ?? 0) - before)).toBeLessThan(1000);
  });
});

it('of a span that the clock moved by a step are known while the answer is awaited, of another one they are not', async () => {
  const { stored, asked } = eventManager(0);
  const now = Math.floor(Date.now() / hour) * hour;
  stored.push({ id: 'before', at: now - hour / 2 });
  const range = ref({ from: now - hour, to: now });
  const { marks, known } = inComponent(() => {
    useManagerTime('event').setOffset(own);
    return useMarks(range, ref(now));
  }).result;
  await waitFor(() => expect(known.value).toBe(true));
  const seen: [boolean, number][] = [];
  watch([known, marks], () => seen.push([known.value, marks.value.length]), { flush: 'sync' });
  range.value = { from: now - hour + 60_000, to: now + 60_000 };
  await waitFor(() => expect(asked).toHaveLength(2), { timeout: 4000 });
  await waitFor(() => expect(seen.length).toBeGreaterThan(0));
  expect(new Set(seen.map(String))).toEqual(new Set(['true,1']));
  range.value = { from: now - 9 * hour, to: now - 8 * hour };
  await waitFor(() => expect(seen.map(String)).toContain('false,0'), { timeout: 4000 });
});

it.each([
  ['again and again while it goes on', 0, 1, pollingSchedule.nodeEvents],
  ['seldom where it is long', 0, 7 * 24, pollingSchedule.archiveFurtherBack],
  ['once where it ended long ago', 48, 24, 0],
])('a span is read %s', async (_how, ago, hours, interval) => {
  eventManager(0);
  const now = Date.now();
  const range = { from: now - (ago + hours) * hour, to: now - ago * hour };
  const { live, known } = inComponent(() => {
    useManagerTime('event').setOffset(own);
    return useMarks(ref(range), ref(now));
  }).result;
  await waitFor(() => expect(known.value).toBe(true));
  expect(live.interval.value).toBe(interval);
});
