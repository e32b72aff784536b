/** The page of the Logs window on a simulated log: filters, older and newer lines, selection, copying, pause. */
import type { Page } from 'playwright';
import { logsTexts } from '../../electron/pages/parts/texts.ts';
import type { PageCommand } from '../../electron/ipc/commands.ts';
import type { ShellState } from '../../electron/ipc/contract.ts';
import { passesFilter, type LogBatch, type LogEntry, type LogFilter } from '../../electron/ipc/logs.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/browser/browserTest.ts';
import { openShellPage } from '../support/desktop/shellPages.ts';

const state: ShellState = { page: { page: 'logs' }, notices: [], stop: { knownNodes: 0, report: null } };
const levels = ['debug', 'info', 'info', 'warn', 'info', 'error'] as const;

function entry(number: number, changes: Partial<LogEntry> = {}): LogEntry {
  const time = new Date(Date.UTC(2026, 0, 15) + number * 1000).toISOString().replace('T', ' ').replace('Z', '');
  const level = levels[number % levels.length] ?? 'info';
  return { id: number, source: 'service', time, level, scope: 'watch', text: `line ${number}`, ...changes };
}

/** A log of `count` lines; each response contains at most 500 of them, as in the app. */
function simulateLog(count: number) {
  const allEntries = Array.from({ length: count }, (_, number) => entry(number));
  const pending: LogEntry[] = [];
  let filter: LogFilter = { level: 'debug', source: null, text: '' };
  let unread = 0;
  const createBatch = (entries: LogEntry[]): LogBatch => ({
    entries,
    isStart: unread === 0,
    skippedBytes: 0,
    failure: null,
  });
  const readOlder = (): LogBatch => {
    const matching = allEntries.slice(0, unread).filter((candidate) => passesFilter(candidate, filter));
    const newest = matching.slice(-500);
    unread = newest.length < 500 ? 0 : allEntries.indexOf(newest[0]!);
    return createBatch(newest);
  };
  const respond = (request: PageCommand) => {
    if (request.command === 'log-start') {
      filter = request.filter;
      unread = allEntries.length;
      pending.length = 0;
      return { ok: true as const, value: readOlder() };
    }
    if (request.command === 'log-older') return { ok: true as const, value: readOlder() };
    if (request.command !== 'log-newer') return { ok: true as const, value: null };
    return {
      ok: true as const,
      value: createBatch(pending.splice(0).filter((candidate) => passesFilter(candidate, filter))),
    };
  };
  return {
    respond,
    add: (...entries: LogEntry[]) => {
      allEntries.push(...entries);
      pending.push(...entries);
    },
  };
}

const lines = (page: Page) => page.getByRole('listbox').getByRole('option');
const line = (page: Page, text: string) => lines(page).filter({ hasText: new RegExp(`${text}$`) });

test('the log page shows the newest lines, keeps few of them in the document and passes axe', async ({ page }) => {
  const log = simulateLog(5000);
  await openShellPage(page, state, log.respond);
  await expect(line(page, 'line 4999')).toBeInViewport();
  expect(await lines(page).count()).toBeLessThan(80);
  for (const size of [
    { width: 1280, height: 800 },
    { width: 720, height: 640 },
    { width: 480, height: 800 },
  ]) {
    await page.setViewportSize(size);
    const scrollSize = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.scrollHeight,
    ]);
    expect(scrollSize, `at ${size.width}`).toEqual([size.width, size.height]);
    await expect(page.getByRole('listbox')).toBeInViewport({ ratio: 1 });
  }
  await line(page, 'line 4999').click();
  await expect(page.getByRole('region', { name: 'Selected line' })).toContainText('line 4999');
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test('scrolling up loads older lines up to the first and keeps the position', async ({ page }) => {
  await openShellPage(page, state, simulateLog(1200).respond);
  await expect(line(page, 'line 1199')).toBeInViewport();
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Home');
  await expect(page.getByRole('button', { name: 'Follow' })).toBeVisible();
  // The previous first line stays in view while older lines are inserted above it.
  await expect(line(page, 'line 700')).toBeInViewport();
  const scrolled = () => page.getByRole('listbox').evaluate(({ scrollTop }) => scrollTop);
  for (const first of ['line 200', 'line 0']) {
    // Until older lines are inserted, the list is at its top and Home has no effect.
    await expect.poll(scrolled).toBeGreaterThan(0);
    await page.keyboard.press('Home');
    await expect(line(page, first)).toBeInViewport();
  }
});

test('the log page follows new lines until it is paused, and again after Follow', async ({ page }) => {
  const log = simulateLog(300);
  await openShellPage(page, state, log.respond);
  await expect(line(page, 'line 299')).toBeInViewport();
  log.add(entry(300));
  await expect(line(page, 'line 300')).toBeInViewport();
  await page.getByRole('button', { name: 'Pause' }).click();
  log.add(entry(301, { text: 'while paused', source: 'app', scope: 'window' }));
  await page.getByRole('listbox').focus();
  await page.keyboard.press('End');
  await expect(line(page, 'line 300')).toBeInViewport();
  await expect(line(page, 'while paused')).toHaveCount(0);
  await page.getByRole('button', { name: 'Follow' }).click();
  await expect(line(page, 'while paused')).toBeInViewport();
});

test('the whole log is filtered by level, source and text', async ({ page }) => {
  const log = simulateLog(3000);
  log.add(entry(3000, { text: 'The window was lost', source: 'app', level: 'error', scope: 'window' }));
  await openShellPage(page, state, log.respond);
  await expect(line(page, 'The window was lost')).toBeVisible();
  await page.getByLabel('Source').selectOption('App');
  await expect(lines(page)).toHaveCount(1);
  await page.getByLabel('Source').selectOption('Both logs');
  await page.getByLabel('Level').selectOption('Errors');
  await expect(lines(page).first()).toContainText('Error');
  await page.keyboard.press('/');
  await page.keyboard.type('LINE 17');
  await expect(line(page, 'line 17')).toBeVisible();
  await page.keyboard.type(' nowhere');
  await expect(page.getByRole('status')).toHaveText('No line matches.');
  await page.keyboard.press('Escape');
  await expect(line(page, 'The window was lost')).toBeVisible();
});

test('selected lines are copied by mouse and keyboard, and all shown lines by button', async ({ page }) => {
  const { requests } = await openShellPage(page, state, simulateLog(300).respond);
  const copied = () => requests.flatMap((request) => (request.command === 'copy' ? [request.text] : []));
  await line(page, 'line 297').click();
  await line(page, 'line 299').click({ modifiers: ['Shift'] });
  await expect(page.locator('[aria-selected=true]')).toHaveCount(3);
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Control+c');
  await expect(page.getByRole('status')).toHaveText('3 lines copied');
  expect(copied().at(-1)).toBe(
    '2026-01-15 00:04:57.000 [warn] (watch) line 297\n2026-01-15 00:04:58.000 [info] (watch) line 298\n2026-01-15 00:04:59.000 [error] (watch) line 299\n',
  );
  await page.keyboard.press('Shift+ArrowUp');
  await page.getByRole('button', { name: 'Copy selected' }).click();
  await expect(page.getByRole('status')).toHaveText('2 lines copied');
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await expect(page.getByRole('status')).toHaveText('300 lines copied');
  expect(copied().at(-1)?.split('\n')).toHaveLength(301);
});

test('the log page reports an unreadable log and continues when it is readable', async ({ page }) => {
  const log = simulateLog(10);
  let isBroken = true;
  await openShellPage(page, state, (request) =>
    isBroken && request.command.startsWith('log-') ? { ok: false, error: 'permission denied' } : log.respond(request),
  );
  await expect(page.getByRole('status')).toHaveText('The log can’t be read: permission denied');
  isBroken = false;
  await page.getByLabel('Level').selectOption(logsTexts.levels.info);
  await expect(line(page, 'line 9')).toBeVisible();
});

test('the log page retries after a failed start and clears the error', async ({ page }) => {
  const log = simulateLog(10);
  let isBroken = true;
  await openShellPage(page, state, (request) =>
    isBroken && request.command === 'log-start'
      ? { ok: false, error: 'the disk is unavailable' }
      : log.respond(request),
  );
  await expect(page.getByRole('status')).toHaveText('The log can’t be read: the disk is unavailable');
  isBroken = false;
  await expect(line(page, 'line 9')).toBeInViewport();
  await expect(page.getByRole('status')).toHaveText('');
});

test('the log page names the log that can’t be read and reports that nothing was copied', async ({ page }) => {
  const log = simulateLog(10);
  await openShellPage(page, state, (request) => {
    if (request.command === 'copy') return { ok: false, error: 'there is no clipboard' };
    const response = log.respond(request);
    return { ok: true, value: { ...response.value, failure: 'The log of the app can’t be read.' } };
  });
  await expect(line(page, 'line 9')).toBeInViewport();
  await expect(page.getByRole('status')).toHaveText('The log of the app can’t be read.');
  await page.getByRole('button', { name: 'Copy all shown' }).click();
  await expect(page.getByRole('status')).toContainText('Nothing was copied: there is no clipboard');
});
