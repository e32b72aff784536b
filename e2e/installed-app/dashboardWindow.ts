/** The app's window, seen through Chromium's remote debugging. */
import { attach } from '../support/desktop/remoteDebugging.ts';
import { waitFor, type Program } from '../support/desktop/program.ts';

export interface WindowContent {
  readonly title: string;
  readonly url: string;
  /** Text on the page. */
  readonly text: string;
}

/** Waits until a window shows a page with a heading, at an address that begins with `origin`. */
export async function readWindow(program: Program, origin: string): Promise<WindowContent> {
  const browser = await attach(program);
  try {
    const pages = () => browser.contexts().flatMap((context) => context.pages());
    const page = await waitFor(program, `a window on ${origin}`, async () => {
      return pages().find((candidate) => candidate.url().startsWith(origin)) ?? null;
    });
    await page.getByRole('heading').first().waitFor({ timeout: 20_000 });
    return { title: await page.title(), url: page.url(), text: await page.locator('body').innerText() };
  } finally {
    await browser.close();
  }
}
