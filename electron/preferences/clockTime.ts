/**
 * Times in the shell's texts: `14:02`, with the date if it isn't today's; in the dashboard's format unless a locale
 * is chosen.
 */
import { formatClockTime } from '../../api/time/clockText.ts';

/** The locale of times, one for the whole program. */
let chosenLocale: string | null = null;

/** @param locale BCP 47; `null` for the dashboard's format */
export function setTimeLocale(locale: string | null): void {
  chosenLocale = locale;
}

/** Returns the chosen locale, for the pages; `null` for the dashboard's format. */
export function getTimeLocale(): string | null {
  return chosenLocale;
}

/**
 * Returns the language tag of the first locale that has one: `de_DE.UTF-8` has one, `C` has none.
 * @returns BCP 47; `null` if there is none
 */
export function firstSupportedLocale(locales: readonly string[]): string | null {
  for (const locale of locales) {
    const tag = locale.replace(/[.@].*$/s, '').replaceAll('_', '-');
    try {
      const [supported] = Intl.DateTimeFormat.supportedLocalesOf(tag);
      if (supported !== undefined) return supported;
    } catch {
      // Not a language tag; the next locale may be one.
    }
  }
  return null;
}

/**
 * Returns the local time, with the date if it isn't of the day of `now`.
 * @param at ms since the epoch
 * @param now ms since the epoch
 * @param locale BCP 47, by default the chosen one
 */
export function formatShellTime(at: number, now: number, locale = chosenLocale): string {
  if (locale === null) return formatClockTime(at, now);
  const time = new Date(at);
  const isToday = time.toDateString() === new Date(now).toDateString();
  const date = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
  return new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', ...date }).format(time);
}
