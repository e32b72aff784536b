import { expect, it } from 'vitest';
import { numberDuplicates, isDeliveryWorking, isDesktopWorking } from './deliveryTexts.ts';

it.each([
  [[], []],
  [['a'], ['a']],
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [
    ['a', 'b', 'a'],
    ['1: a', 'b', '3: a'],
  ],
])('numberDuplicates turns %j into %j', (addresses, expected) => expect(numberDuplicates(addresses)).toEqual(expected));

it.each([
  ['before the first message', { delivered: null, failure: null }, null],
  ['after a message', { delivered: '2026-01-15T12:00:00.000Z', failure: null }, true],
  [
    'after a failure',
    { delivered: '2026-01-15T12:00:00.000Z', failure: { at: '2026-01-15T12:05:00.000Z', reason: 'HTTP 404' } },
    false,
  ],
])('isDeliveryWorking is $2 for a webhook %s', (_name, fields, works) => {
  expect(isDeliveryWorking({ channel: 'https://hooks.example.com/…', waiting: 0, ...fields })).toBe(works);
});

const desktop = { enabled: true, supported: true, mutedUntil: null, shownAt: null, failure: null };
it.each([
  ['before the first notification', {}, null],
  ['after a notification', { shownAt: 1 }, true],
  ['that is switched off', { enabled: false, shownAt: 1 }, null],
  ['that supports no notifications', { supported: false }, false],
  ['after a failure', { shownAt: 1, failure: { at: 2, reason: 'no server' } }, false],
])('isDesktopWorking is $2 for a desktop %s', (_name, changed, works) => {
  expect(isDesktopWorking({ ...desktop, ...changed })).toBe(works);
});
