/** axe on a page: what it finds, in words. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** Resolves when nothing fades or slides any more: what is half faded in has too little contrast, rightly. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const moving = () =>
      document
        .getAnimations()
        .some(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
    // A transition begins a frame after what it shows is there, so one quiet frame says nothing.
    for (let quiet = 0; quiet < 3; quiet = moving() ? 0 : quiet + 1) await frame();
  });
}

/** The rules whose findings another theme can change; whatever else axe looks at is the same in both. */
const rulesOfColour = ['color-contrast', 'link-in-text-block'] as const;

/**
 * The violations of WCAG 2.2 AA and axe's good practices on the page as it is now.
 * @param more rules that axe leaves out unless they are asked for, as `target-size`
 */
export function violations(page: Page, more: readonly string[] = []): Promise<string[]> {
  return found(page, { rules: Object.fromEntries(more.map((rule) => [rule, { enabled: true }])) });
}

/** The same in the dark and in the light theme of the system, which stays; what colours do not change is looked at once. */
export async function violationsInBothThemes(page: Page, more: readonly string[] = []): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violations(page, more);
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await found(page, { runOnly: rulesOfColour });
  return [...dark.map((text) => `dark: ${text}`), ...light.map((text) => `light: ${text}`)];
}

async function found(page: Page, options: object): Promise<string[]> {
  // As an expression of the debugger, because the page's policy forbids scripts that aren't its own.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  await settled(page);
  const result = await page.evaluate((asked) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } };
    return axe.run({ ...asked, resultTypes: ['violations'] });
  }, options);
  return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
