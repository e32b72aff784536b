/** Texts of the Settings window that depend on the service's state. */
import type { ServiceStatus } from '../../server/status.ts';
import { formatShellTime } from '../preferences/clockTime.ts';
import { timeChoices, type PreferencesView } from '../ipc/settingsContract.ts';

interface SettingsContext {
  readonly status: ServiceStatus;
  readonly showsDemo: boolean;
  /** The lab manager on another machine whose lab is shown. */
  readonly followedUrl: string | null;
}

/** Returns the reason why changes in the Settings window may not affect the lab in the main window. */
export function settingsNote({ status, showsDemo, followedUrl }: SettingsContext): string | null {
  if (showsDemo) return 'The window shows the demo lab, which does not use these settings.';
  if (followedUrl !== null) {
    return `The window shows the lab of ${followedUrl}, with the addresses of that lab manager. The addresses here are used when this machine’s lab is shown again.`;
  }
  if (status.phase === 'attached') {
    return `The lab manager at ${status.url} was started outside this app, and has its own settings. The settings here are used when this app runs the service.`;
  }
  return null;
}

type Choice = (typeof timeChoices)[number];

/**
 * Returns two example times for each choice: one of today and one of another day.
 * @param getLanguage BCP 47; `null` for the dashboard's format
 */
export function timeExamples(getLanguage: (choice: Choice) => string | null): PreferencesView['timeExamples'] {
  const now = new Date(2026, 0, 15, 14, 2).getTime();
  const yesterday = new Date(2026, 0, 14, 9, 7).getTime();
  return timeChoices.map((choice) => ({
    choice,
    name: languageName(choice),
    example: [now, yesterday].map((at) => formatShellTime(at, now, getLanguage(choice))).join(' and '),
  }));
}

function languageName(choice: Choice): string {
  if (choice === 'dashboard') return 'As on the dashboard';
  if (choice === 'system') return 'As the system';
  return new Intl.DisplayNames('en', { type: 'language' }).of(choice) ?? choice;
}
