/** The shell's own pages in a browser with all possible content: sizes, themes, keyboard, buttons. */
import type { Page } from 'playwright';
import { firstScreenTexts, maintenanceTexts } from '../../electron/pages/parts/texts.ts';
import { safetyStopTexts as texts } from '../../api/safetyStop/safetyStopTexts.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/browser/browserTest.ts';
import { openShellPage } from '../support/desktop/shellPages.ts';
import { shellPages, createShellState, type ShellPageName } from '../support/desktop/shellStates.ts';

const isFocusedTime = (element: Element): boolean =>
  element === document.activeElement && element instanceof HTMLInputElement && element.type === 'time';

const names = Object.keys(shellPages) as ShellPageName[];
const sizes = [
  { width: 1280, height: 800 },
  { width: 900, height: 640 },
  { width: 420, height: 800 },
] as const;

/** Returns the elements that are clipped, scroll sideways, or scroll inside another scrolling element. */
function findOverflows(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const wide = root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} wide`] : [];
    const inner = [...document.querySelectorAll('body *')].filter((element) => {
      // An input field scrolls its text.
      if (element instanceof SVGElement || element instanceof HTMLInputElement) return false;
      if (element.closest('.visually-hidden')) return false;
      const { overflowX, overflowY } = getComputedStyle(element);
      const scrolls = [overflowX, overflowY].some((overflow) => overflow !== 'visible');
      const isOver = element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
      return scrolls && isOver;
    });
    return [...wide, ...inner.map((element) => element.outerHTML.slice(0, 120))];
  });
}

for (const name of names) {
  test(`${name}: nothing is cut off or scrolls twice in any window, and the page passes axe`, async ({ page }) => {
    const shell = await openShellPage(page, createShellState(name));
    for (const level of ['quiet', 'all'] as const) {
      await shell.show(createShellState(name, level));
      for (const size of sizes) {
        await page.setViewportSize(size);
        expect(await findOverflows(page), `${level} at ${size.width}`).toEqual([]);
      }
      expect(await violationsInBothThemes(page), level).toEqual([]);
    }
  });

  test(`${name}: the keyboard reaches every control and shows the focus`, async ({ page }) => {
    await openShellPage(page, createShellState(name, 'all'));
    const controls = page.locator('button:enabled, input, select, textarea, summary').filter({ visible: true });
    await expect(controls).not.toHaveCount(0);
    const count = await controls.count();
    for (let index = 0; index < count; index += 1) {
      await page.keyboard.press('Tab');
      // The parts of a time and its picker are separate stops; their number depends on the locale.
      for (let part = 0; part < 4; part += 1)
        if (index > 0 && (await controls.nth(index - 1).evaluate(isFocusedTime))) await page.keyboard.press('Tab');
      await expect(controls.nth(index)).toBeFocused();
      const outline = await controls.nth(index).evaluate((element) => getComputedStyle(element).outlineStyle);
      expect(outline).toBe('solid');
    }
  });
}

/** Returns what covers the safety stop's button, or where the button is missing, at several scroll positions. */
function findStopCovers(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const range = root.scrollHeight - root.clientHeight;
    return [0, 1, 24, 60, range / 4, range / 2, range - 1, range].flatMap((top) => {
      root.scrollTop = Math.min(top, range);
      const stop = document.querySelector('button.stop-button');
      if (stop === null) return [`no button at ${top}`];
      const { left, right, top: upper, bottom } = stop.getBoundingClientRect();
      const xs = [left + 4, (left + right) / 2, right - 4];
      const ys = [upper + 4, (upper + bottom) / 2, bottom - 4];
      return xs
        .flatMap((x) => ys.map((y) => document.elementFromPoint(x, y)))
        .flatMap((hit) =>
          hit !== null && stop.contains(hit) ? [] : [`${hit?.outerHTML.slice(0, 80)} at ${root.scrollTop}`],
        );
    });
  });
}

for (const name of names) {
  test(`${name}: nothing covers the safety stop at any scroll position`, async ({ page }) => {
    await openShellPage(page, createShellState(name, 'nodes'));
    // With an unsaved change, the save bar is fixed at the lower edge.
    if (name === 'settings') await page.locator('.setting input[type=text]').first().fill('changed');
    for (const size of [...sizes, { width: 420, height: 240 }]) {
      await page.setViewportSize(size);
      expect(await findStopCovers(page), `${size.width} × ${size.height}`).toEqual([]);
    }
  });
}

test('the search field of the settings stays visible below the safety stop when the page is scrolled', async ({
  page,
}) => {
  await page.setViewportSize({ width: 900, height: 640 });
  await openShellPage(page, createShellState('settings', 'nodes'));
  await page.evaluate(() => window.scrollTo(0, 600));
  const search = page.getByRole('searchbox');
  await expect(search).toBeInViewport({ ratio: 1 });
  await search.click({ trial: true });
});

test('the page of a starting app is no taller than its window', async ({ page }) => {
  await openShellPage(page, createShellState('starting', 'nodes'));
  const height = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  expect(height).toBe(0);
});

test('every choice of the first screen is in view while no lab is found on the network', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openShellPage(page, createShellState('first-screen', 'nodes'), undefined, { isOff: false, labs: [] });
  await expect(
    page.getByText('No other lab manager was found on this network. Enter its address above.'),
  ).toBeInViewport({ ratio: 1 });
  for (const name of [
    firstScreenTexts.folder.button,
    'Connect',
    firstScreenTexts.addresses.button,
    firstScreenTexts.demo.button,
    firstScreenTexts.skip.button,
  ]) {
    await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  }
});

test('every button of the stop report is in view at the initial size of its window', async ({ page }) => {
  await page.setViewportSize({ width: 720, height: 530 });
  await openShellPage(page, { ...createShellState('stop', 'all'), notices: [] });
  for (const name of [texts.release, texts.close]) {
    await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  }
});

test('one host name fills all six addresses and keeps their ports', async ({ page }) => {
  const result = { ok: false, text: 'connection refused', url: null };
  const { requests } = await openShellPage(page, createShellState('first-screen'), () => ({ ok: true, value: result }));
  await page.getByRole('button', { name: firstScreenTexts.addresses.button }).click();
  await expect(page.getByText('No answer yet')).toHaveCount(6);
  await expect(page.getByLabel(firstScreenTexts.addresses.host)).toBeFocused();
  await page.keyboard.type('bench-7');
  for (const [manager, port] of [
    ['Event', 8001],
    ['Location', 8006],
  ] as const) {
    await expect(page.getByLabel(`${manager} Manager`)).toHaveValue(`http://bench-7:${port}/`);
  }
  await expect(page.getByText('connection refused')).toHaveCount(6);
  const urls = requests.map((request) =>
    request.command === 'test-address' ? new URL(request.url).hostname : request.command,
  );
  expect(urls.slice(-6)).toEqual(Array.from({ length: 6 }, () => 'bench-7'));
});

test('removing the host name restores the six addresses except those typed by hand', async ({ page }) => {
  const { requests } = await openShellPage(page, createShellState('first-screen'), () => ({
    ok: true,
    value: { ok: true, text: 'Event Manager is running', url: 'http://x/' },
  }));
  await page.getByRole('button', { name: firstScreenTexts.addresses.button }).click();
  const event = page.getByLabel('Event Manager');
  const addressBefore = await event.inputValue();
  await page.getByLabel(firstScreenTexts.addresses.host).pressSequentially('lab pc');
  await expect(page.getByText('“lab pc” is not a host name or IP address')).toBeVisible();
  await expect(event).toHaveValue(addressBefore);
  expect(JSON.stringify(requests)).not.toContain('%20');
  await page.getByLabel(firstScreenTexts.addresses.host).fill('lab-pc');
  await expect(event).toHaveValue('http://lab-pc:8001/');
  await page.getByLabel('Data Manager').fill('http://data-pc:8004/');
  await page.getByLabel(firstScreenTexts.addresses.host).fill('');
  await expect(page.getByText(/is not a host name/)).toHaveCount(0);
  await expect(event).toHaveValue(addressBefore);
  await expect(page.getByLabel('Data Manager')).toHaveValue('http://data-pc:8004/');
  await expect(page.getByText('No answer yet')).toHaveCount(5);
});

test('a pressed button shows its progress, ignores further presses and reports a failure', async ({ page }) => {
  let sendFailure = (): void => undefined;
  const failureSent = new Promise<void>((resolve) => (sendFailure = resolve));
  const { requests } = await openShellPage(page, createShellState('port-taken'), async () => {
    await failureSent;
    return { ok: false, error: 'Port 8010 was taken meanwhile' };
  });
  const button = page.getByRole('button', { name: 'Use 8010' });
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await page.keyboard.press('Enter');
  sendFailure();
  await expect(page.getByRole('alert')).toHaveText('Port 8010 was taken meanwhile');
  await expect(button).not.toHaveAttribute('aria-busy');
  expect(requests).toEqual([{ command: 'use-port', port: 8010, host: null }]);
});

test('the page of a failed service shows since when it failed, and the copied text contains the error', async ({
  page,
}) => {
  await page.clock.install();
  const { requests } = await openShellPage(page, createShellState('failed'));
  await expect(page.getByText(/^Since 15 Jan \d\d:\d\d\. Trying again now\.$/)).toBeVisible();
  // The button shows for only 2 s that the text is copied.
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const [copy] = requests;
  expect(copy?.command === 'copy' && copy.text).toContain('JavaScript heap out of memory');
});

test('each manager’s name in the table of managers takes one line', async ({ page }) => {
  const shell = await openShellPage(page, createShellState('lab'));
  for (const size of sizes) {
    await page.setViewportSize(size);
    await shell.show(createShellState('lab'));
    const cells = page.getByRole('rowheader');
    await expect(cells).toHaveCount(6);
    for (const cell of await cells.all()) {
      const lines = await cell.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element.firstChild ?? element);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size;
      });
      expect(lines).toBe(1);
    }
  }
});

test('maintenance and muting begin and end for the selected objects, and an end in the past is refused', async ({
  page,
}) => {
  const { requests, show } = await openShellPage(page, createShellState('maintenance'));
  const form = page.getByRole('form', { name: 'Start' });
  await form.getByLabel(maintenanceTexts.what).selectOption('robotarm_1');
  await page.getByLabel('How long').selectOption(maintenanceTexts.choices['four-hours']);
  const startedAt = await page.evaluate(() => Date.now());
  await page.getByRole('button', { name: maintenanceTexts.begin }).click();
  await page.getByRole('button', { name: 'Mute notifications' }).click();
  await page.getByRole('button', { name: 'End the maintenance of Data Manager' }).click();
  await page.getByRole('button', { name: 'Unmute All notifications' }).click();
  const until: unknown = expect.any(Number);
  await expect
    .poll(() => requests)
    .toEqual([
      { command: 'set-maintenance', kind: 'node', id: 'robotarm_1', until },
      { command: 'set-mute', key: 'node robotarm_1', until },
      { command: 'set-maintenance', kind: 'manager', id: 'data', until: null },
      { command: 'set-mute', key: null, until: null },
    ]);
  const [maintenanceRequest] = requests;
  expect(
    maintenanceRequest?.command === 'set-maintenance' ? Number(maintenanceRequest.until) - startedAt : 0,
  ).toBeGreaterThanOrEqual(4 * 3_600_000);

  await page.getByLabel('How long').selectOption(maintenanceTexts.choices.other);
  await expect(page.getByRole('button', { name: maintenanceTexts.begin })).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Until', { exact: true }).fill('2020-01-01T08:00');
  await expect(page.getByRole('alert')).toHaveText('Choose a time in the future');
  await page.getByRole('button', { name: maintenanceTexts.begin }).click({ force: true });
  expect(requests).toHaveLength(4);

  const recurring = page.getByRole('form', { name: 'Recurring maintenance' });
  await recurring.getByLabel(maintenanceTexts.what).selectOption('Data Manager');
  await recurring.getByLabel('When').selectOption(maintenanceTexts.days.Wed);
  await recurring.getByLabel('Time of day').fill('03:30');
  await recurring.getByLabel('Duration').selectOption('2 h');
  await recurring.getByRole('button', { name: 'Plan' }).click();
  await page.getByRole('button', { name: 'Cancel the recurring maintenance of Event Manager' }).click();
  const every = { days: ['Wed'], at: '03:30', minutes: 120 };
  await expect
    .poll(() => requests.slice(4))
    .toEqual([
      { command: 'plan-maintenance', kind: 'manager', id: 'data', every },
      { command: 'plan-maintenance', kind: 'manager', id: 'event', every: null },
    ]);

  await show(createShellState('maintenance-elsewhere'));
  await expect(page.getByText('sudo lab-manager --maintenance')).toBeVisible();
  await expect(page.getByRole('button', { name: maintenanceTexts.begin })).toHaveCount(0);
});

test('a notice has its action, its progress and a close button', async ({ page }) => {
  const { requests: shellRequests } = await openShellPage(page, createShellState('starting', 'all'));
  const notice = page.getByRole('listitem').filter({ hasText: 'is downloading' });
  await expect(notice.getByRole('progressbar')).toHaveJSProperty('value', 41);
  await notice.getByRole('button', { name: 'Cancel download' }).click();
  await notice.getByRole('button', { name: /^Close/ }).click();
  expect(shellRequests).toEqual([
    { command: 'press-notice', id: 'update', press: 'action' },
    { command: 'press-notice', id: 'update', press: 'close' },
  ]);
});
