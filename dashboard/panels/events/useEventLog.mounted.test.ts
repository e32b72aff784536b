/** The log of a manager whose clock isn't known yet, in another zone than the page. */
import { waitFor } from '@testing-library/dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatManagerTime } from '../../../api/time.ts';
import { sampleEvent } from '../../fixtures/records.ts';
import { readAgain } from '../../fixtures/locationAnswers.ts';
import { answerAsManagers } from '../../fixtures/managerAnswers.ts';
import { inComponent } from '../../fixtures/mounted.ts';
import { useEventLog } from './useEventLog.ts';

afterEach(() => void vi.unstubAllGlobals());

const hour = 3_600_000;
const own = 0 - new Date().getTimezoneOffset();
/** As a host writes it that is so many minutes east of this machine. */
const written = (east: number, at: number): string => formatManagerTime(new Date(at), own + east);

function eventManager(east: number) {
  const stored: { readonly id: string; readonly at: number }[] = [];
  const asked = answerAsManagers({
    event: ({ path, query }) =>
      path !== '/events'
        ? undefined
        : Object.fromEntries(
            stored
              .map(({ id, at }) => sampleEvent(id, { event_timestamp: written(east, at) }))
              .filter(({ event_timestamp: stamp }) => stamp >= (query['start_time'] ?? ''))
              .map((event) => [event['_id'], event]),
          ),
  });
  return { stored, asked };
}

describe('asked for the last hour', () => {
  it.each([
    ['nine hours east', 9 * 60],
    ['in this zone', 0],
    ['eight hours west', -8 * 60],
  ])('a manager %s tells what comes, at its moment', async (_where, east) => {
    const { stored, asked } = eventManager(east);
    const before = Date.now() - 30 * 60_000;
    stored.push({ id: 'long ago', at: Date.now() - 3 * hour }, { id: 'before', at: before });
    const from = Date.now() - hour;
    const log = inComponent(() =>
      useEventLog(() => ({ level: 0, from, to: null, archived: false, about: null })),
    ).result;
    await waitFor(() => expect(log.live.data.value).toBeDefined());
    const at = Date.now();
    stored.push({ id: 'new', at });
    readAgain();
    // Now its clock is known, and it is asked by that clock.
    await waitFor(() => expect(log.rows.value.map(({ id }) => id)).toEqual(['new', 'before']), { timeout: 4000 });
    const [first] = log.rows.value;
    expect(Math.abs((first?.at ?? 0) - at)).toBeLessThan(1000);
    const last = asked.findLast(({ path }) => path === '/events');
    expect(last?.query['start_time']).toBe(written(east, from).slice(0, 19));
  });
});
