import { andMore } from '#api/countText.ts';

export const locationTexts = {
  /** The contents of a location, in one line. */
  contents: (names: readonly string[]) =>
    names.length <= 2 ? names.join(', ') : `${names.slice(0, 2).join(', ')} ${andMore(names.length - 2)}`,
  /** Differences of a location from the state that was confirmed. */
  changed: {
    missing: 'The location manager no longer has this location.',
    nothing: 'nothing',
    resource: (shown: string, now: string) => `Attached: ${shown} was shown; now ${now}.`,
    field: (field: string) => `Its ${field.replaceAll('_', ' ').replace('.', ' for ')} has changed.`,
  },
} as const;
