/** Keys, pressed when what is on the screen listens to them. */
import type { Page } from 'playwright';

/**
 * Closes what lies on top of the page. Vuetify tells its overlays in a timer which of them is on top, and until then none
 * of them takes the key; a person is slower than that, a test isn't.
 */
export async function pressEscape(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  await page.keyboard.press('Escape');
}
