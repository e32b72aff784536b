/** Vuetify, with the tokens of `api/states.ts`: the same colours as the tray's, in both themes. */
import { createVuetify } from 'vuetify';
import { aliases, mdi } from 'vuetify/iconsets/mdi-svg';
import 'vuetify/styles/core';
import { accent, stateColors, surfaces } from '../../api/states.ts';
import { storedTheme } from '../base/themeChoice.ts';

function colors(theme: 'light' | 'dark'): Record<string, string> {
  const index = theme === 'light' ? 0 : 1;
  const { surface, background, border, text, muted } = surfaces[theme];
  return {
    background,
    surface,
    line: border,
    muted,
    'on-background': text,
    'on-surface': text,
    primary: accent[index],
    error: stateColors.failed[index],
    ...Object.fromEntries(Object.entries(stateColors).map(([name, pair]) => [`state-${name}`, pair[index]])),
  };
}

export function createTheme() {
  return createVuetify({
    icons: { defaultSet: 'mdi', aliases, sets: { mdi } },
    theme: {
      defaultTheme: storedTheme(),
      variations: false,
      utilities: false,
      themes: {
        light: { dark: false, colors: colors('light'), variables: { 'border-opacity': 1 } },
        dark: { dark: true, colors: colors('dark'), variables: { 'border-opacity': 1 } },
      },
    },
    defaults: {
      VBtn: { variant: 'outlined', rounded: 'lg', elevation: 0, ripple: false, class: 'button' },
      VTextField: { variant: 'outlined', density: 'compact', hideDetails: true, rounded: 'lg' },
      VDialog: { maxWidth: 560, scrollable: true },
    },
  });
}
