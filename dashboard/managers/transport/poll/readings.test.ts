import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNewer, mergeReadings, type Reading } from './readings.ts';

describe('isNewer', () => {
  it.each([
    [
      'requested after the other one was received',
      { requestedAt: 3, receivedAt: 4 },
      { requestedAt: 1, receivedAt: 2 },
      true,
    ],
    [
      'requested while the other one was pending',
      { requestedAt: 2, receivedAt: 4 },
      { requestedAt: 1, receivedAt: 3 },
      false,
    ],
    [
      'requested earlier and received late',
      { requestedAt: 1, receivedAt: 9 },
      { requestedAt: 2, receivedAt: 3 },
      false,
    ],
    ['without an earlier one', { requestedAt: 1, receivedAt: 2 }, undefined, true],
  ])('returns $3 for a response %s', (_name, next, knownReading, newer) => {
    expect(isNewer(next, knownReading)).toBe(newer);
  });
});

describe('the known state of an object', () => {
  /** The times of one request: since the last one, until the server reads its state, and until the response arrives. */
  const request = fc.record({ pause: fc.nat(20), processing: fc.nat(30), transfer: fc.nat(30) });

  it('never goes back in time in any order of responses and ends at the server’s last state', () => {
    fc.assert(
      fc.property(
        fc.array(request, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        (requests, pace) => {
          // The object's version is the server's time: it changes every `pace`.
          let time = 0;
          const responses = requests.map(({ pause, processing, transfer }) => {
            time += pause;
            return {
              requestedAt: time,
              version: Math.floor((time + processing) / pace),
              receivedAt: time + processing + transfer,
            };
          });
          const settledAt = Math.max(...responses.map(({ receivedAt }) => receivedAt)) + 1;
          responses.push({ requestedAt: settledAt, version: Math.floor(settledAt / pace), receivedAt: settledAt + 1 });
          // The page's order of events: no two are simultaneous.
          const events = responses.flatMap((response) => [
            { at: response.requestedAt, response, kind: 'requested' as const },
            { at: response.receivedAt, response, kind: 'received' as const },
          ]);
          const order = new Map(
            events
              .toSorted((a, b) => a.at - b.at)
              .map(({ response, kind }, index) => [response, kind, index] as const)
              .map(([response, kind, index]) => [`${responses.indexOf(response)} ${kind}`, index]),
          );
          const createStamp = (index: number) => ({
            requestedAt: order.get(`${index} requested`) ?? 0,
            receivedAt: order.get(`${index} received`) ?? 0,
          });
          const arriving = responses
            .map(({ version }, index) => ({ version, stamp: createStamp(index) }))
            .toSorted((a, b) => a.stamp.receivedAt - b.stamp.receivedAt);
          let readings: ReadonlyMap<string, Reading<number>> = new Map();
          let lastShown = -1;
          for (const { version, stamp } of arriving) {
            readings = mergeReadings(readings, [['object', version]], stamp);
            const now = readings.get('object')?.body ?? -1;
            expect(now).toBeGreaterThanOrEqual(lastShown);
            lastShown = now;
          }
          expect(lastShown).toBe(responses.at(-1)?.version);
        },
      ),
    );
  });

  it('stays the same map without new data and keeps the other objects', () => {
    const readings = mergeReadings<string>(
      new Map(),
      [
        ['a', 'one'],
        ['b', 'one'],
      ],
      { requestedAt: 1, receivedAt: 4 },
    );
    expect(mergeReadings(readings, [['a', 'old']], { requestedAt: 2, receivedAt: 5 })).toBe(readings);
    const next = mergeReadings(readings, [['a', 'two']], { requestedAt: 6, receivedAt: 7 });
    expect([...next].map(([id, { body }]) => [id, body])).toEqual([
      ['b', 'one'],
      ['a', 'two'],
    ]);
  });
});
