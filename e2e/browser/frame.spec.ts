/** The frame: theme, keyboard, wall screen, addresses of its pages, and the API's documentation. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '../support/browser/browserTest.ts';
import { withMotion } from '../support/browser/withMotion.ts';
import { findOutsideAddress } from '../support/service.ts';
import { safetyStopTexts } from '../../api/safetyStop/safetyStopTexts.ts';
import { appTexts } from '../../dashboard/app/texts.ts';
import { labTitle, overviewTitle } from '../../dashboard/panels/titles.ts';
import { labEndpoints } from '../../api/lab/labDocs.ts';
import { safetyStopEndpoints } from '../../api/lab/safetyStopDocs.ts';
import { labTexts } from '../../dashboard/panels/lab/texts.ts';
import { commonTexts } from '../../dashboard/base/texts.ts';
import { overviewTexts } from '../../dashboard/panels/overview/texts.ts';

test.use(withMotion);

test('the theme follows the system until the user chooses one, which is stored', async ({ page, service }) => {
  const { url } = await service();
  const app = page.locator('html');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(url);
  await expect(app).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: appTexts.theme.button('system') }).click();
  await page.getByRole('menuitemradio', { name: appTexts.theme.light }).click();
  await expect(app).toHaveAttribute('data-theme', 'light');
  await page.reload();
  await expect(app).toHaveAttribute('data-theme', 'light');
  await expect(page.getByRole('button', { name: appTexts.theme.button('light') })).toBeVisible();
  await page.keyboard.press('t');
  await expect(app).toHaveAttribute('data-theme', 'dark');
});

test('a page whose program can’t be loaded names the address to use', async ({ page, service, guard }) => {
  guard.expected.push(/Failed to load resource/);
  const { url } = await service();
  await page.route('**/assets/**', (route) => route.abort());
  await page.goto(url);
  await expect(page.getByText('it must end with a slash')).toBeVisible();
  await expect(page.getByText('the proxy must remove the prefix')).toBeVisible();
});

test('after an update of the service, a page reports it and a wall screen reloads, although their scripts have other names', async ({
  page,
  service,
  guard,
}) => {
  guard.expected.push(/Failed to load resource/, /dynamically imported module|preload/);
  const { url } = await service();
  let version = '1.0.0';
  await page.route('**/lab_health/history*', async (route) => {
    const response = await route.fetch();
    const history = (await response.json()) as { readonly service: object };
    await route.fulfill({ response, json: { ...history, service: { ...history.service, version } } });
  });
  /** Resolves when the page has read the version of the service that it was loaded from. */
  const openOldVersion = async (address: string): Promise<void> => {
    await page.goto(address);
    // Of this page: a response that the page before no longer receives never finishes.
    const response = await page.waitForResponse('**/lab_health/history*');
    await response.finished();
    await expect(
      page.getByRole('link', { name: 'addresses in the Lab panel' }).or(page.getByRole('table')).first(),
    ).toBeVisible();
  };
  const update = async (): Promise<void> => {
    version = '2.0.0';
    await page.route('**/assets/**', (route) => route.abort());
  };
  await openOldVersion(url);
  await update();
  await expect(
    page.getByText(
      'The lab manager’s version has changed since this page was loaded: it is now 2.0.0. Reload the page to use it; input that is not sent is lost.',
    ),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Locations' }).first().click();
  await expect(page.getByText(appTexts.app.cannotOpen)).toBeVisible();

  await page.unroute('**/assets/**');
  version = '1.0.0';
  await openOldVersion(`${url}?kiosk`);
  const reloaded = page.waitForRequest((request) => request.isNavigationRequest());
  await update();
  await reloaded;
});

test('single-key shortcuts open the keyboard sheet and pages, are text in a field, and can be switched off', async ({
  page,
  service,
}) => {
  const { url } = await service();
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog');
  await expect(sheet).toContainText('open Lab');
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  // The second key counts only shortly after the first one.
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await expect(page.getByRole('heading', { level: 1, name: labTitle })).toBeFocused({ timeout: 1000 });
  }).toPass();
  // Shortcut keys that are typed into a field are text.
  await page.getByLabel(labTexts.search).fill('');
  await page.keyboard.type('go?');
  await expect(page.getByLabel(labTexts.search)).toHaveValue('go?');
  await expect(sheet).toBeHidden();

  await page.getByRole('button', { name: appTexts.help.button }).click();
  await page.getByRole('menuitem', { name: appTexts.keys.button }).click();
  await sheet.getByLabel(/Single-key shortcuts/).uncheck();
  await sheet.getByRole('button', { name: commonTexts.close }).click();
  await expect(sheet).toBeHidden();
  await page.getByRole('link', { name: overviewTitle }).focus();
  await page.keyboard.press('?');
  await expect(sheet).toBeHidden();
});

test('the skip link is the first element and moves the focus to the content', async ({ page, service }) => {
  const { url } = await service();
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('a wall screen is covered when it was not updated for a minute, until the next update', async ({
  page,
  service,
}) => {
  const { url } = await service();
  await page.goto(`${url}?kiosk`);
  const cover = page.getByText(/^Not updated since/);
  await expect(cover).toHaveCSS('opacity', '0');
  const opacityAfter = (ms: number) =>
    cover.evaluate((element, currentTime) => {
      for (const animation of element.getAnimations()) animation.currentTime = currentTime;
      return Number(getComputedStyle(element).opacity);
    }, ms);
  expect(await opacityAfter(59_000)).toBe(0);
  expect(await opacityAfter(61_500)).toBeGreaterThan(0.9);
  await expect(cover).toHaveCSS('opacity', '0');
});

test('the wall screen has large text, no rail, no button except the safety stop, and a link to a wall screen', async ({
  page,
  service,
}) => {
  const { url } = await service();
  await page.goto(`${url}?kiosk`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveAccessibleName(safetyStopTexts.button);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('24px');
  await page.getByRole('banner').getByRole('link', { name: 'Lab', exact: true }).click();
  await expect(page).toHaveURL(/\?kiosk/);
});

test('a page opens after a reload and with a trailing slash, and an unknown address links to the first page', async ({
  page,
  service,
}) => {
  const { url } = await service();
  await page.goto(`${url}lab`);
  await expect(page.getByRole('heading', { level: 1, name: labTitle })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: labTitle })).toBeVisible();
  await page.goto(`${url}lab/`);
  await expect(page.getByRole('heading', { level: 1, name: labTitle })).toBeVisible();
  await page.goto(`${url}workflows/abc/def`);
  await expect(page.getByRole('heading', { level: 1, name: appTexts.notFound.title })).toBeVisible();
  await page.getByRole('link', { name: 'Go to Overview' }).click();
  await expect(page).toHaveURL(url);
  // The first page has no use for the parameters of another page.
  await page.goto(`${url}lab?section=users`);
  await page.getByRole('banner').getByRole('link', { name: 'Lab', exact: true }).click();
  await expect(page).toHaveURL(url);
});

test('the dashboard works behind a proxy with a base path', async ({ page, lab, service }) => {
  const { settings } = await lab();
  const { port } = await service({ files: { 'settings.yaml': settings } });
  const proxy = http.createServer((request, response) => {
    if (!request.url?.startsWith('/base/')) return void response.writeHead(404).end();
    const { headers, method } = request;
    const forward = { host: '127.0.0.1', port, path: request.url.slice(5), headers, method };
    http
      .request(forward, (upstream) => upstream.pipe(response.writeHead(upstream.statusCode ?? 502, upstream.headers)))
      .on('error', () => response.destroy())
      .end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  try {
    const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/base/`;
    await page.goto(`${base}lab`);
    await expect(page.getByRole('heading', { level: 1, name: labTitle })).toBeVisible();
    await expect(page.getByRole('table', { name: labTexts.addresses })).toBeVisible();
    await page.goto(`${base}deep/down/here`);
    await page.getByRole('link', { name: 'Go to Overview' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(overviewTexts.allHealthy(6));
    await expect(page).toHaveURL(base);
    const session = await page.context().newCDPSession(page);
    expect((await session.send('Page.getAppManifest')).url).toBe(`${base}manifest.webmanifest`);
    await page.goto(`${base}docs`);
    await expect(page.getByText('Lab context', { exact: true })).toBeVisible();
  } finally {
    proxy.close();
    proxy.closeAllConnections();
  }
});

for (const from of ['loopback', 'the network'] as const) {
  test(`the API documentation that is opened from ${from} is rendered from local files only`, async ({
    page,
    guard,
    service,
  }) => {
    const host = from === 'loopback' ? '127.0.0.1' : findOutsideAddress();
    test.skip(host === null, 'this machine has no address but loopback');
    guard.hosts.add(host ?? '');
    const { port } = await service();
    await page.goto(`http://${host}:${port}/lab`);
    await page.getByRole('link', { name: 'API documentation' }).click();
    const count = labEndpoints.length + safetyStopEndpoints.length;
    await expect(page.locator('.opblock-summary-path')).toHaveCount(count);
    await page.locator('.opblock-summary', { hasText: 'Lab context' }).click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await expect(page.locator('.live-responses-table').getByText('event_server_url').first()).toBeVisible();
    await expect.poll(() => guard.requests.filter((url) => url.includes('/docs/')).length).toBeGreaterThanOrEqual(4);
  });
}

test.describe('the content of a page at a scale factor of 2', () => {
  test.use({ deviceScaleFactor: 2, viewport: { width: 720, height: 450 } });
  for (const path of ['', 'lab', 'history']) {
    test(`scrolls between the bars of /${path}, and the page itself does not scroll`, async ({ page, service }) => {
      const { url } = await service();
      await page.goto(`${url}${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const overflow = (selector: string) =>
        page.locator(selector).evaluate((element) => element.scrollHeight - element.clientHeight);
      await expect.poll(() => overflow('main')).toBeGreaterThan(0);
      expect(await overflow('html')).toBe(0);
    });
  }
});
