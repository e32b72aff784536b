/** Our dashboard in Chromium, served by our service for the suite's lab: one page per test. */
import { encodeTime } from 'ulid';
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright';
import { contextKey, managerKeys } from '#api/managers.ts';
import { chromiumOptions } from '../../support/browser/chromium.ts';
import { Guard } from '../../support/browser/guard.ts';
import { startService, type TestService } from '../../support/service.ts';
import { events, getId, target } from '../behaviour/lab.ts';
import { outcomeTexts } from '#dashboard/managers/commands/texts.ts';

/** The time after which a wait for the page counts as hanging, in ms. */
const timeoutMs = 60_000;

export class LabPages {
  readonly #service: TestService;
  readonly #browser: Browser;
  #context: BrowserContext | null = null;
  #guard = new Guard();
  /** The time of the test's page, as in the IDs of workflows. */
  #openedAt = '';
  /** The errors in the lab's log when the test began. */
  #earlierErrors: ReadonlySet<string> = new Set();
  #expectedErrors: RegExp | null = null;

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

  /** Opens `path` of the dashboard in the page of the test, whose browser profile is separate. */
  async open(path: string): Promise<Page> {
    this.#context ??= await this.#createContext();
    const page = this.#context.pages()[0] ?? (await this.#context.newPage());
    await page.goto(new URL(path, this.#service.url).href);
    return page;
  }

  /** Returns the browser profile of the test and the dashboard's address, for a test with several pages. */
  async profile(): Promise<{ readonly context: BrowserContext; readonly url: string }> {
    this.#context ??= await this.#createContext();
    return { context: this.#context, url: this.#service.url };
  }

  async #createContext(): Promise<BrowserContext> {
    const context = await this.#browser.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(timeoutMs);
    this.#guard = new Guard();
    this.#guard.watch(context);
    this.#earlierErrors = new Set((await readErrors()).keys());
    this.#openedAt = encodeTime(Date.now());
    this.#expectedErrors = null;
    return context;
  }

  /** Allows errors in the lab's log that the test itself causes, by their text. */
  expectErrors(pattern: RegExp): void {
    this.#expectedErrors = pattern;
  }

  /** The errors that the lab's managers and nodes have logged since the test began. */
  async #newErrors(): Promise<readonly string[]> {
    const errors = [...(await readErrors())].filter(([id]) => !this.#earlierErrors.has(id));
    return errors
      .map(([, text]) => text)
      .filter((text) => {
        // The manager reports steps of a workflow that an earlier test has cancelled some seconds later.
        const [, workflowTime = this.#openedAt] = /"workflow_id":"(\w{10})/.exec(text) ?? [];
        return workflowTime >= this.#openedAt && this.#expectedErrors?.test(text) !== true;
      });
  }

  /** Returns all addresses that the test's pages requested. */
  get requests(): readonly string[] {
    return this.#guard.requests;
  }

  /** Closes the test's page; rejects when the page violated the guard's rules, or caused errors in the lab's log. */
  async close(): Promise<void> {
    await this.#guard.end();
    const errors = this.#context === null ? [] : await this.#newErrors();
    await this.#context?.close();
    this.#context = null;
    if (errors.length > 0) throw new Error(`The lab logged errors:\n${errors.join('\n')}`);
    if (this.#guard.offences.length > 0)
      throw new Error(`The page violated the guard’s rules:\n${this.#guard.offences.join('\n')}`);
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.#service.stop();
  }
}

/** The errors in the lab's log as texts, by the IDs of their events. */
async function readErrors(): Promise<ReadonlyMap<string, string>> {
  const logged = await events.queryEvents({ body: { log_level: { $gte: 40 } } });
  return new Map(Object.values(logged).map((event) => [getId(event), JSON.stringify(event.event_data)]));
}

/** Resolves when the element is visible and contains the text. */
export function expectVisible(locator: Locator, hasText: string | RegExp = ''): Promise<void> {
  return locator.filter({ hasText, visible: true }).first().waitFor();
}

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
export const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 });
export const outcomes = (page: Page): Locator => page.getByRole('complementary', { name: outcomeTexts.region });

/**
 * Clicks an action of the workflow on its page and confirms the dialog; confirms it again if the state changed meanwhile.
 */
export async function confirmAction(page: Page, action: string, expected: string): Promise<void> {
  await page.getByRole('button', { name: `${action}…` }).click();
  const dialog = page.getByRole('alertdialog');
  await expectVisible(dialog, expected);
  // The button has this name only while no request is running.
  const confirmButton = dialog.getByRole('button', { name: `${action} workflow`, exact: true });
  // The dialog shows a change as an alert; a confirmed dialog fades out with its button still present.
  const repeatedWarning = dialog.getByRole('alert');
  for (let times = 0; times < 3; times += 1) {
    await confirmButton.click();
    await Promise.race([dialog.waitFor({ state: 'hidden' }), repeatedWarning.waitFor()]);
    if (!(await dialog.isVisible())) return;
  }
  throw new Error(`The page never sent the command: ${(await dialog.textContent()) ?? ''}`);
}
