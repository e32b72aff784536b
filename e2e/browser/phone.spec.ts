/** The dashboard on a phone of 360 pixels: touch instead of hover, accessibility, installation and the QR code. */
import jsQR from 'jsqr';
import type { CDPSession, Locator, Page } from 'playwright/test';
import { violations } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/demoLab.ts';
import { findOutsideAddress } from '../support/service.ts';
import { dataClient, slowStep, submit, testNode, waitUntilRunning } from './workflows/workflowsLab.ts';
import { safetyStopTexts } from '../../api/safetyStop/safetyStopTexts.ts';
import { accountTexts, appTexts } from '../../dashboard/app/texts.ts';
import { componentTexts, qrTexts } from '../../dashboard/components/texts.ts';
import { phoneTexts } from '../../dashboard/panels/lab/texts.ts';
import { importingTexts } from '../../dashboard/panels/locations/texts.ts';
import { overviewTexts } from '../../dashboard/panels/overview/texts.ts';

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

const stopButton = (page: Page) => page.getByRole('button', { name: safetyStopTexts.button });

test('every panel passes axe on a phone, in turn dark and light, with the safety stop in view', async ({
  page,
  demo,
}) => {
  const { url } = await demo({ past: true });
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const panels = await page
    .getByRole('navigation', { name: appTexts.app.panels })
    .locator('a')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  expect(panels.length).toBeGreaterThan(8);
  for (const [index, path] of panels.entries()) {
    await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'dark' : 'light' });
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^updated/).filter({ visible: true })).toHaveCount(1);
    await expect(stopButton(page)).toBeInViewport({ ratio: 1 });
    // The name of the lab that the safety stop stops.
    const lab = await page.getByRole('banner').getByRole('link').first().boundingBox();
    expect(lab?.width, path).toBeGreaterThanOrEqual(60);
    expect.soft(await violations(page, ['target-size']), path).toEqual([]);
  }
});

test('the first row of a list is in the first screen, and other panels and actions are two taps away', async ({
  page,
  demo,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { url } = await demo({ past: true });
  for (const path of ['workflows', 'events', 'locations']) {
    await page.goto(new URL(path, url).href);
    await expect(page.locator('[role="row"][aria-rowindex="2"]')).toBeInViewport({ ratio: 0.9 });
  }
  const importButton = page.getByRole('button', { name: importingTexts.open });
  await expect(importButton).toBeHidden();
  await page.getByRole('button', { name: 'More actions' }).tap();
  await expect(importButton).toBeInViewport({ ratio: 1 });

  const links = page.getByRole('navigation', { name: appTexts.app.panels }).getByRole('link');
  await expect(links).toHaveCount(4);
  await page.getByRole('button', { name: 'More', exact: true }).tap();
  await links.filter({ hasText: 'Timeline' }).tap();
  await expect(page).toHaveURL(new URL('timeline', url).href);
  await expect(links).toHaveCount(4);
});

for (const width of [360, 390])
  test(`the name and the state of the lab are not cut off next to the sign-in at ${width} pixels`, async ({
    page,
    demo,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    const env = {
      LAB_MANAGER_NAME: 'Cell Culture Bench 4',
      LAB_REMOTE_ACCESS: 'view',
      LAB_TRUSTED_PROXY: '["192.0.2.1"]',
    };
    const { url } = await demo({}, env);
    await page.goto(new URL('workflows', url).href);
    const bar = page.getByRole('banner');
    await expect(bar.getByRole('button', { name: accountTexts.signIn })).toBeInViewport({ ratio: 1 });
    await expect(bar.locator('.badge')).toHaveText('Managers 6/6');
    for (const part of [bar.getByRole('link'), bar.locator('.badge > span')])
      expect(await part.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    // The link covers the state too, so that it has room for a finger.
    await bar.locator('.badge').tap({ force: true });
    await expect(page).toHaveURL(url);
  });

test('a tap shows tooltips, opens a menu and opens a step of the timeline', async ({ page, demo }) => {
  const { lab, url } = await demo({ past: true });
  const { workflow_id: id } = await submit(lab, 'Growth assay', [slowStep(600)]);
  await waitUntilRunning(lab, id);
  const tooltip = page.getByRole('tooltip');

  await page.goto(url);
  await page.getByRole('button', { name: overviewTexts.showManagers }).tap();
  const strip = page.getByRole('slider').first();
  await strip.tap();
  await expect(tooltip).toBeVisible();
  const heading = page.getByRole('heading', { level: 1 });
  // The heading changes while the page loads; the tooltip shows its text at the time of the tap.
  await expect(async () => {
    await heading.tap();
    await expect(tooltip).toHaveText((await heading.textContent()) ?? '', { timeout: 1000 });
  }).toPass();

  await page.goto(new URL('workflows', url).href);
  await page.getByRole('button', { name: componentTexts.table.filters(0), exact: true }).tap();
  await page.getByRole('button', { name: componentTexts.table.columns, exact: true }).tap();
  await expect(page.getByRole('checkbox', { name: 'Author' })).toBeVisible();

  await page.goto(new URL('timeline?span=10m', url).href);
  const lane = page.getByRole('listitem').filter({ hasText: testNode });
  await expect(lane).toBeVisible();
  // The line of the present moves, and the step that is running ends there.
  const stepUrl = new RegExp(`/workflows/${id}\\?step=0$`);
  const tapStep = async () => {
    // The parts above it grow while the page loads.
    await lane.scrollIntoViewIfNeeded({ timeout: 1000 });
    const [row, canvas] = await Promise.all(
      [lane, page.locator('canvas')].map((part) => part.boundingBox({ timeout: 1000 })),
    );
    if (!row || !canvas) throw new Error('The timeline is not drawn');
    await page.touchscreen.tap(canvas.x + canvas.width * (1 - 0.02) - 3, row.y + row.height / 2);
  };
  await expect(async () => {
    // The page of the step can open after the previous attempt.
    if (!stepUrl.test(page.url())) await tapStep();
    await expect(page).toHaveURL(stepUrl, { timeout: 1000 });
  }).toPass();
});

test('a tap on a plot reads its values, and after zooming in and out with its buttons all of it is visible', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const datapoint = { data_type: 'json', label: 'curve', value: [1, 2, 4, 8, 16, 32] } as const;
  const { _id: id } = await dataClient(lab).addDatapoint({ body: { datapoint } });
  await page.goto(new URL(`data/${id}`, url).href);
  const texts = componentTexts.plot;
  const canvas = page.locator('canvas').first();
  await expect(canvas).toBeVisible();
  await canvas.scrollIntoViewIfNeeded();
  // The plot moves while the rest of the page loads.
  await expect(async () => {
    const box = await canvas.boundingBox();
    if (box === null) throw new Error('The plot is not drawn');
    // The canvas is below uPlot's own layer, which receives the tap. The middle is between the third and the fourth value.
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await expect(page.getByRole('status').filter({ hasText: /^(3: 4|4: 8)$/ })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await page.getByRole('button', { name: 'Zoom in' }).tap();
  await page.getByRole('button', { name: 'Zoom out' }).tap();
  await expect(page.getByRole('button', { name: texts.showAll })).toHaveCount(0);
});

/** Puts a finger on an element, moves it by some pixels, and lifts it. */
async function slip(session: CDPSession, target: Locator, by: { x: number; y: number }): Promise<void> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('The target is not shown');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  const moved = [{ x: x + by.x, y: y + by.y }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: moved });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('the safety stop acts once when a finger slips a little, and not when the finger leaves the button', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  await page.goto(new URL('workflows', url).href);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const session = await page.context().newCDPSession(page);
  const countStopped = () => lab.nodes.filter((node) => node.status().stopped).length;
  const report = page.getByRole('region', { name: safetyStopTexts.title });

  await slip(session, stopButton(page), { x: -120, y: 300 });
  await page.getByRole('heading', { level: 1 }).tap();
  expect(await report.count()).toBe(0);
  expect(countStopped()).toBe(0);

  await slip(session, stopButton(page), { x: -25, y: 15 });
  await expect(report).toHaveCount(1);
  await expect.poll(countStopped).toBeGreaterThan(0);
});

test('the page and the safety stop stay out of the covered areas of the screen', async ({ page, service }) => {
  const { url } = await service();
  const session = await page.context().newCDPSession(page);
  const insets = { top: 44, bottom: 34, left: 0, right: 0 };
  await session.send('Emulation.setSafeAreaInsetsOverride' as never, { insets } as never);
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect((await stopButton(page).boundingBox())?.y).toBeGreaterThanOrEqual(insets.top);
  const link = page.getByRole('navigation', { name: appTexts.app.panels }).getByRole('link').first();
  const box = await link.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(740 - insets.bottom);
  await expect(link).toBeInViewport({ ratio: 1 });
});

interface Manifest {
  readonly name: string;
  readonly start_url: string;
  readonly scope: string;
  readonly display: string;
  readonly icons: readonly { readonly src: string; readonly sizes: string; readonly purpose: string }[];
}

test('Chromium accepts the web app manifest, which has the name of the lab and icons of their stated sizes', async ({
  page,
  service,
}) => {
  const { url } = await service({ files: { 'lab.settings.yaml': 'lab_manager_name: Bench 4\n' } });
  await page.goto(new URL('nothing/below', url).href);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const session = await page.context().newCDPSession(page);
  const found = await session.send('Page.getAppManifest');
  expect([found.url, found.errors]).toEqual([new URL('manifest.webmanifest', url).href, []]);
  const manifest = JSON.parse(found.data ?? '') as Manifest;
  expect(manifest).toMatchObject({ name: 'Bench 4', start_url: './', scope: './', display: 'standalone' });
  expect(manifest).not.toHaveProperty('id');
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);

  const apple = await page.locator('link[rel="apple-touch-icon"]').evaluate((link: HTMLLinkElement) => link.href);
  const icons = manifest.icons.map(({ src, sizes }) => ({ href: new URL(src, found.url).href, sizes }));
  expect(new Set(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`))).toEqual(
    new Set(['192x192 any', '192x192 maskable', '512x512 any', '512x512 maskable']),
  );
  for (const { href, sizes } of [...icons, { href: apple, sizes: '180x180' }]) {
    const size = await page.evaluate(async (src) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, href);
    expect(size, href).toBe(sizes);
  }
});

/** Returns what a camera would read from a QR code on the screen. */
async function readQrCode(page: Page, code: Locator): Promise<string | undefined> {
  await code.scrollIntoViewIfNeeded();
  const picture = (await code.screenshot()).toString('base64');
  const { data, width, height } = await page.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas?.drawImage(image, 0, 0);
    const pixels = canvas?.getImageData(0, 0, image.width, image.height).data ?? [];
    return { data: [...pixels], width: image.width, height: image.height };
  }, picture);
  return jsQR(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' })?.data;
}

test('the QR code on the Lab page is the address of this page in the dark theme too, never a loopback address', async ({
  page,
  guard,
  service,
}) => {
  const host = findOutsideAddress();
  test.skip(host === null, 'this machine has no address but loopback');
  guard.hosts.add(host ?? '');
  const { port } = await service();
  await page.emulateMedia({ colorScheme: 'dark' });
  const card = page.getByRole('region', { name: 'On a phone or tablet' });
  const code = card.getByRole('img');

  await page.goto(`http://127.0.0.1:${port}/lab`);
  await expect(card).toContainText(phoneTexts.missing.unnamed);
  await expect(card).toContainText(
    'Without installation, the page works in any browser. Installing it on the home screen needs HTTPS.',
  );
  await expect(code).toHaveCount(0);

  const outside = `http://${host}:${port}/`;
  await page.goto(`${outside}lab`);
  await expect(code).toHaveAccessibleName(qrTexts.label(outside));
  expect(await readQrCode(page, code)).toBe(outside);
  await expect(card.getByRole('link', { name: 'Set up HTTPS' })).toHaveAttribute(
    'href',
    `${outside}help/users.html#https`,
  );
});
