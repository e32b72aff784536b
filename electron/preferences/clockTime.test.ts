import { afterEach, expect, it } from 'vitest';
import { clockTime, firstSupportedLocale, setTimeLocale } from './clockTime.ts';

afterEach(() => setTimeLocale(null));
const now = new Date(2026, 0, 15, 13, 5).getTime();
const yesterday = new Date(2026, 0, 14, 9, 7).getTime();

it('clockTime includes the date on another day', () => {
  expect(clockTime(now, now)).toBe('13:05');
  expect(clockTime(yesterday, now)).toBe('14 Jan 09:07');
});

it.each([
  ['en-US', /^1:05\sPM$/, /^Jan 14, 9:07\sAM$/],
  ['en-GB', /^13:05$/, /^14 Jan,? 0?9:07$/],
  ['de', /^13:05$/, /^14\. Jan\.?,? 0?9:07$/],
])('clockTime uses the format of the locale %s', (locale, today, otherDay) => {
  setTimeLocale(locale);
  expect(clockTime(now, now)).toMatch(today);
  expect(clockTime(yesterday, now)).toMatch(otherDay);
});

it.each([
  [['de-DE', 'en'], 'de-DE'],
  [['de_CH.UTF-8', 'en'], 'de-CH'],
  [['C', 'en-US@posix'], 'en-US'],
  [['', 'C.UTF-8', 'not a tag'], null],
])('firstSupportedLocale of the locales %j is %s', (locales, language) => {
  expect(firstSupportedLocale(locales)).toBe(language);
});
