import { afterEach, expect, it } from 'vitest';
import { formatShellTime, firstSupportedLocale, setTimeLocale } from './clockTime.ts';

afterEach(() => setTimeLocale(null));
const now = new Date(2026, 0, 15, 13, 5).getTime();
const yesterday = new Date(2026, 0, 14, 9, 7).getTime();

it('formatShellTime includes the date on another day', () => {
  expect(formatShellTime(now, now)).toBe('13:05');
  expect(formatShellTime(yesterday, now)).toBe('14 Jan 09:07');
});

it.each([
  ['en-US', /^1:05\sPM$/, /^Jan 14, 9:07\sAM$/],
  ['en-GB', /^13:05$/, /^14 Jan,? 0?9:07$/],
  ['de', /^13:05$/, /^14\. Jan\.?,? 0?9:07$/],
])('formatShellTime uses the format of the locale %s', (locale, today, otherDay) => {
  setTimeLocale(locale);
  expect(formatShellTime(now, now)).toMatch(today);
  expect(formatShellTime(yesterday, now)).toMatch(otherDay);
});

it.each([
  [['de-DE', 'en'], 'de-DE'],
  [['de_CH.UTF-8', 'en'], 'de-CH'],
  [['C', 'en-US@posix'], 'en-US'],
  [['', 'C.UTF-8', 'not a tag'], null],
])('firstSupportedLocale of the locales %j is %s', (locales, language) => {
  expect(firstSupportedLocale(locales)).toBe(language);
});
