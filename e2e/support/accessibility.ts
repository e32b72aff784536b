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

/**
 * The violations of WCAG 2.2 AA and axe's good practices on the page as it is now.
 * @param more rules that axe leaves out unless they are asked for, as `target-size`
 */
export async function violations(page: Page, more: readonly string[] = []): Promise<string[]> {
  // As an expression of the debugger, because the page's policy forbids scripts that aren't its own.
  await page.evaluate(source);
  await settled(page);
  const result = await page.evaluate((rules) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } };
    return axe.run({ rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: true }])) });
  }, more);
  return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** The same in the light and in the dark theme of the system. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await violations(page)).map((text) => `${colorScheme}: ${text}`));
  }
  return found;
}
