/** What stands for each choice of theme, on the button and in its list. */
import { mdiCircleHalfFull, mdiWeatherNight, mdiWhiteBalanceSunny } from '@mdi/js';
import type { ThemeChoice } from '../../base/themeChoice.ts';

export const themeIcons: Readonly<Record<ThemeChoice, string>> = {
  system: mdiCircleHalfFull,
  light: mdiWhiteBalanceSunny,
  dark: mdiWeatherNight,
};
