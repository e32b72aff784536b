/** Our dashboard in Chromium, served by our service in front of the suite's lab: one page a test. */
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright';
import { contextKey, managerKeys } from '../../../api/managers.ts';
import { chromiumOptions } from '../../support/browser/chromium.ts';
import { Guard } from '../../support/browser/guard.ts';
import { startService, type TestService } from '../../support/service.ts';
import { target } from '../behaviour/lab.ts';
import { outcomeTexts } from '../../../dashboard/managers/commands/texts.ts';

/** How long the page may take to show something: the lab itself is in no hurry. */
const timeoutMs = 20_000;

export class LabPages {
  readonly #service: TestService;
  readonly #browser: Browser;
  #context: BrowserContext | null = null;
  #guard = new Guard();

  private constructor(service: TestService, browser: Browser) {
    this.#service = service;
    this.#browser = browser;
  }

  static async start(): Promise<LabPages> {
    const settings = managerKeys.map((key) => `${contextKey(key)}: ${target.context[key]}\n`).join('');
    const service = await startService({ dashboard: 'built', files: { 'settings.yaml': settings } });
    try {
      return new LabPages(service, await chromium.launch(chromiumOptions));
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  /** A page in a browser profile of its own, at `path` of the dashboard. */
  async open(path: string): Promise<Page> {
    this.#context ??= await this.#fresh();
    const page = this.#context.pages()[0] ?? (await this.#context.newPage());
    await page.goto(new URL(path, this.#service.url).href);
    return page;
  }

  /** A browser profile of its own, and the address of the dashboard, for a test with several pages. */
  async profile(): Promise<{ readonly context: BrowserContext; readonly url: string }> {
    this.#context ??= await this.#fresh();
    return { context: this.#context, url: this.#service.url };
  }

  async #fresh(): Promise<BrowserContext> {
    const context = await this.#browser.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(timeoutMs);
    this.#guard = new Guard();
    this.#guard.watch(context);
    return context;
  }

  /** Every address that the test's pages asked for. */
  get requests(): readonly string[] {
    return this.#guard.requests;
  }

  /** Ends the test's page; rejects when it did what it must not. */
  async close(): Promise<void> {
    this.#guard.end();
    await this.#context?.close();
    this.#context = null;
    if (this.#guard.offences.length > 0)
      throw new Error(`The page did what it must not:\n${this.#guard.offences.join('\n')}`);
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.#service.stop();
  }
}

/** Resolves when it is to be seen, with these words in it. */
export function seen(locator: Locator, hasText: string | RegExp = ''): Promise<void> {
  return locator.filter({ hasText, visible: true }).first().waitFor();
}

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
export const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 });
export const outcomes = (page: Page): Locator => page.getByRole('complementary', { name: outcomeTexts.region });

/**
 * Asks for an action of the workflow on its page, and says yes: again where the state has changed meanwhile, as the page
 * then asks for.
 */
export async function doIt(page: Page, action: string, says: string): Promise<void> {
  await page.getByRole('button', { name: `${action}…` }).click();
  const dialog = page.getByRole('alertdialog');
  await seen(dialog, says);
  // Its name while nothing is under way: what was said before the press is still there after it.
  const verb = dialog.getByRole('button', { name: `${action} workflow`, exact: true });
  // What has changed is said in the question; one that was agreed to fades with its button still there.
  const again = dialog.getByRole('alert');
  for (let times = 0; times < 3; times += 1) {
    await verb.click();
    await Promise.race([dialog.waitFor({ state: 'hidden' }), again.waitFor()]);
    if (!(await dialog.isVisible())) return;
  }
  throw new Error(`The page never sent it: ${(await dialog.textContent()) ?? ''}`);
}
