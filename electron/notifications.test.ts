import { expect, it } from 'vitest';
import { isShown, muteUntil } from './notifications.ts';

const now = new Date(2026, 10, 21, 23, 30).getTime();

it.each<[string, { mutedUntil?: number; lookingAt?: string }, string, boolean]>([
  ['usually', {}, '/', true],
  ['while muted', { mutedUntil: now + 1 }, '/', false],
  ['after that', { mutedUntil: now }, '/', true],
  ['about the page that is looked at', { lookingAt: 'http://127.0.0.1:8000/workflows/1?x=1' }, '/workflows/1', false],
  ['about another page', { lookingAt: 'http://127.0.0.1:8000/workflows/1' }, '/', true],
  ['about the Overview on the Overview', { lookingAt: 'http://127.0.0.1:8000/' }, '/', false],
])('%s', (_name, attention, path, shown) => {
  expect(isShown({ path }, { mutedUntil: null, lookingAt: null, now, ...attention })).toBe(shown);
});

it('is muted for an hour, or until eight in the morning', () => {
  expect(muteUntil('hour', now)).toBe(now + 3_600_000);
  expect(muteUntil('tomorrow', now)).toBe(new Date(2026, 10, 22, 8).getTime());
  expect(muteUntil('off', now)).toBeNull();
});
