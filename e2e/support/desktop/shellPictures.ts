/**
 * Takes pictures of the shell's own pages: the documentation's, or every page in every size and theme for review.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { now } from '#electron/fixtures/states.ts';
import { chromiumOptions } from '../browser/chromium.ts';
import { openShellPage } from './shellPages.ts';
import { shellPages, createShellState, type ShellPageName } from './shellStates.ts';

const sizes = {
  laptop: { width: 1280, height: 800 },
  small: { width: 900, height: 640 },
  narrow: { width: 420, height: 800 },
} as const;
type Size = keyof typeof sizes;
type Theme = 'light' | 'dark';

interface Picture {
  readonly name: ShellPageName;
  readonly level: 'quiet' | 'nodes' | 'all';
  readonly size: Size;
  readonly theme: Theme;
  /** A section of the Settings window. */
  readonly section?: 'Users';
}

const documentationPictures: readonly Picture[] = [
  { name: 'first-screen', level: 'quiet', size: 'laptop', theme: 'light' },
  { name: 'port-taken', level: 'quiet', size: 'laptop', theme: 'light' },
  { name: 'settings-error', level: 'quiet', size: 'laptop', theme: 'dark' },
  { name: 'settings', level: 'quiet', size: 'small', theme: 'light' },
  { name: 'settings', level: 'quiet', size: 'small', theme: 'light', section: 'Users' },
  { name: 'maintenance', level: 'quiet', size: 'small', theme: 'light' },
];

function listAllPictures(): Picture[] {
  const names = Object.keys(shellPages) as ShellPageName[];
  return names.flatMap((name) =>
    (['quiet', 'nodes', 'all'] as const).flatMap((level) =>
      (Object.keys(sizes) as Size[]).flatMap((size) =>
        (['light', 'dark'] as const).map((theme) => ({ name, level, size, theme })),
      ),
    ),
  );
}

/** @param includesAll whether to take every page in every size and theme instead of the documentation's pictures */
export async function captureShellPages(folder: string, includesAll: boolean): Promise<void> {
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch(chromiumOptions);
  try {
    for (const { name, level, size, theme, section } of includesAll ? listAllPictures() : documentationPictures) {
      const page = await browser.newPage({ viewport: sizes[size], colorScheme: theme, reducedMotion: 'reduce' });
      await page.clock.setFixedTime(now + 10_000);
      await openShellPage(page, createShellState(name, level));
      if (section !== undefined) await page.getByRole('button', { name: section, exact: true }).click();
      const suffix = section === undefined ? (includesAll ? `-${level}` : '') : `-${section.toLowerCase()}`;
      await page.screenshot({ path: join(folder, `app-${name}${suffix}-${size}-${theme}.png`) });
      await page.close();
    }
  } finally {
    await browser.close();
  }
}
