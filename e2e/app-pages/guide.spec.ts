/** The pages of the user guide as the service serves them: sizes, themes, keyboard, search, print. */
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/browser/browserTest.ts';

const names = ['index', 'first-start', 'dashboard', 'troubleshooting', 'all-settings'] as const;

for (const name of names) {
  test(`guide page ${name} has no horizontal overflow from 420 to 1280 px, loads its images and passes axe`, async ({
    page,
    service,
  }) => {
    const { url } = await service();
    await page.goto(`${url}help/${name}.html`);
    for (const width of [1280, 720, 420]) {
      await page.setViewportSize({ width, height: 800 });
      const overflowPx = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflowPx, `at ${width}`).toBe(0);
    }
    for (const picture of await page.locator('article img').all()) {
      await picture.scrollIntoViewIfNeeded();
      await expect
        .poll(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(0);
    }
    expect(await violationsInBothThemes(page)).toEqual([]);
  });
}

test('every internal link of every guide page leads to an existing page or heading', async ({ page, service }) => {
  const { url } = await service();
  await page.goto(`${url}help/`);
  const pages = await page
    .locator('nav a')
    .evaluateAll((links) => (links as HTMLAnchorElement[]).map(({ href }) => href.replace(/#.*/, '')));
  const targets = new Set<string>();
  for (const address of new Set(pages)) {
    await page.goto(address);
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => (all as HTMLAnchorElement[]).map(({ href }) => href));
    for (const link of links) if (link.startsWith(url)) targets.add(link);
  }
  expect(targets.size).toBeGreaterThan(50);
  const anchors = new Map<string, readonly string[]>();
  for (const target of targets) {
    const [address = '', anchor] = target.split('#');
    let anchorsOfPage = anchors.get(address);
    if (!anchorsOfPage) {
      expect((await page.goto(address))?.status(), address).toBe(200);
      anchorsOfPage = await page.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id));
      anchors.set(address, anchorsOfPage);
    }
    if (anchor !== undefined) expect(anchorsOfPage, target).toContain(decodeURIComponent(anchor));
  }
});

test('the guide’s search works by keyboard alone, and Esc returns to the guide page', async ({ page, service }) => {
  const { url } = await service();
  await page.goto(`${url}help/`);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('connection refused');
  await expect(page.getByRole('status')).toHaveText(/^\d+ results?$/);
  expect(await violationsInBothThemes(page)).toEqual([]);
  const searchResult = page
    .getByRole('region', { name: 'Search results' })
    .getByRole('link', { name: 'Messages about a manager' });
  await expect(searchResult).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('region', { name: 'Search results' }).getByRole('link').first()).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1, name: 'User guide' })).toBeVisible();
  await page.keyboard.type('nothingnowhere');
  await expect(page.getByRole('status')).toHaveText(/^Nothing found for “nothingnowhere”/);
  await page.getByRole('searchbox').fill('connection refused');
  await searchResult.click();
  await expect(page).toHaveURL(`${url}help/troubleshooting.html#messages-about-a-manager`);
  await expect(page.locator(':target')).toBeInViewport();
});

test('a guide page is printed without its navigation', async ({ page, service }) => {
  const { url } = await service();
  await page.goto(`${url}help/safety-stop.html`);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation')).toBeHidden();
  await expect(page.getByRole('search')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
