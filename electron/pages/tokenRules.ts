/** The look's colours as custom properties, from the one table of states; the system says which theme. Pure. */
import { accent, stateColors, surfaces, type StateColor } from '../../api/states.ts';

function properties(theme: 'light' | 'dark'): string {
  const index = theme === 'light' ? 0 : 1;
  const states = (Object.keys(stateColors) as StateColor[]).map((name) => `--${name}:${stateColors[name][index]}`);
  const plain = Object.entries(surfaces[theme]).map(([name, color]) => `--${name}:${color}`);
  // The border of a control must be seen (3:1); the surfaces' own is only a line.
  const controls = [
    `--accent:${accent[index]}`,
    `--on-accent:${theme === 'light' ? '#FFFFFF' : '#0F1317'}`,
    '--control:#7A848F',
    // The one button that looks the same in both themes.
    `--stop:${stateColors.failed[0]}`,
    '--on-stop:#FFFFFF',
  ];
  return [...states, ...plain, ...controls].join(';');
}

/** A style sheet for both themes. */
export function tokenRules(): string {
  return `:root{${properties('light')}}@media(prefers-color-scheme:dark){:root{${properties('dark')}}}`;
}
