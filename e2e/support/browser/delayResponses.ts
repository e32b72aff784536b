/** Delays responses until the test releases them, so that the state in between is deterministic. */
import type { Page } from 'playwright';

/**
 * Delays the responses to the page's matching requests until the returned function is called; requests after that pass
 * immediately.
 */
export async function delayResponses(page: Page, urlOrFilter: string | ((url: URL) => boolean)): Promise<() => void> {
  let release = (): void => undefined;
  const blocked = new Promise<void>((resolve) => (release = resolve));
  await page.route(urlOrFilter, async (route) => {
    await blocked;
    await route.continue();
  });
  return release;
}
