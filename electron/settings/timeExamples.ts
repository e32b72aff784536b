/** What times look like in each language that can be chosen. Pure. */
import { clockTime } from '../preferences/clockTime.ts';
import { timeChoices, type PreferencesView } from '../ipc/settingsContract.ts';

type Choice = (typeof timeChoices)[number];

/** A time of today and one of another day for each. @param languageOf BCP 47; `null` is the dashboard's way */
export function timeExamples(languageOf: (choice: Choice) => string | null): PreferencesView['timeExamples'] {
  const now = new Date(2026, 0, 15, 14, 2).getTime();
  const before = new Date(2026, 0, 14, 9, 7).getTime();
  return timeChoices.map((choice) => ({
    choice,
    name: nameOf(choice),
    example: [now, before].map((at) => clockTime(at, now, languageOf(choice))).join(' and '),
  }));
}

function nameOf(choice: Choice): string {
  if (choice === 'dashboard') return 'As on the dashboard';
  if (choice === 'system') return 'As the system';
  return new Intl.DisplayNames('en', { type: 'language' }).of(choice) ?? choice;
}
