/** Runs axe on a page and returns its violations as text. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** Resolves when all transitions have ended: half-faded content has too little contrast. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const isAnimating = () =>
      document.getAnimations().some(({ playState, effect }) => {
        const timing = effect?.getComputedTiming();
        // A delayed animation that has not begun has no progress.
        return playState === 'running' && timing?.endTime !== Infinity && timing?.progress !== null;
      });
    // A transition begins a frame after its content is inserted, so one frame without animation proves nothing.
    for (let stillFrames = 0; stillFrames < 3; stillFrames = isAnimating() ? 0 : stillFrames + 1) await frame();
  });
}

/** The rules whose results depend on the theme; all others are the same in both. */
const colorRules = ['color-contrast', 'link-in-text-block'] as const;

/**
 * Returns the violations of WCAG 2.2 AA and axe's best practices in the page's current state.
 * @param more rules that axe runs only on request, such as `target-size`
 */
export function violations(page: Page, more: readonly string[] = []): Promise<string[]> {
  return findViolations(page, { rules: Object.fromEntries(more.map((rule) => [rule, { enabled: true }])) });
}

/**
 * Returns the violations in the dark and in the light theme of the system; the light theme stays set. Rules that do not
 * depend on colors run once.
 */
export async function violationsInBothThemes(page: Page, more: readonly string[] = []): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violations(page, more);
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await findViolations(page, { runOnly: colorRules });
  return [...dark.map((text) => `dark: ${text}`), ...light.map((text) => `light: ${text}`)];
}

async function findViolations(page: Page, options: object): Promise<string[]> {
  // Evaluated through the debugger, because the page's content security policy forbids foreign scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  await waitUntilSettled(page);
  const result = await page.evaluate((axeOptions) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } };
    return axe.run({ ...axeOptions, resultTypes: ['violations'] });
  }, options);
  return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
