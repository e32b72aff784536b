import { describe, expect, it } from 'vitest';
import {
  accent,
  labAppearances,
  managerAppearances,
  nodeAppearances,
  outcomeAppearances,
  stateColors,
  stepAppearances,
  surfaces,
  workflowAppearances,
  type StateAppearance,
} from './states.ts';

/** WCAG 2.2 relative luminance of `#RRGGBB`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns `color` with the opacity `share` over `ground`: the background of a tinted chip. */
function tint(color: string, ground: string, share: number): string {
  const under = channels(ground);
  const mixed = channels(color).map((value, at) => Math.round(value * share + (under[at] ?? 0) * (1 - share)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

const themes = [
  ['light', 0],
  ['dark', 1],
] as const;

describe('contrast of the state colors', () => {
  const colors = themes.flatMap(([theme, index]) =>
    Object.entries({ ...stateColors, accent, muted: [surfaces.light.muted, surfaces.dark.muted] as const }).map(
      ([name, pair]) => [theme, name, pair[index]] as const,
    ),
  );

  it.each(colors)(
    '%s %s has a contrast of at least 4.5:1 on surface, background and its own tint',
    (theme, _name, color) => {
      const { surface, background } = surfaces[theme];
      expect(contrast(color, surface)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(color, background)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(color, tint(color, surface, 0.1))).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each(themes)('%s text has a contrast of at least 7:1', (theme) => {
    const { surface, background, text } = surfaces[theme];
    expect(contrast(text, surface)).toBeGreaterThanOrEqual(7);
    expect(contrast(text, background)).toBeGreaterThanOrEqual(7);
  });
});

const appearanceTables: readonly (readonly [string, Readonly<Record<string, StateAppearance>>])[] = [
  ['lab', labAppearances],
  ['manager', managerAppearances],
  ['node', nodeAppearances],
  ['workflow', workflowAppearances],
  ['step', stepAppearances],
  ['outcome', outcomeAppearances],
];

describe.each(appearanceTables)('the appearances of the states: %s', (_name, appearances) => {
  it('every state has a label', () => {
    expect(Object.values(appearances).map(({ label }) => label.trim())).not.toContain('');
  });

  it('no two states have the same shape and label', () => {
    const seen = Object.values(appearances).map(({ shape, label }) => `${shape} ${label}`);
    expect(new Set(seen).size).toBe(seen.length);
  });
});
