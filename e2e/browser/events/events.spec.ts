/** The Events panel on the demo lab: following, searching, opening and archiving events. */
import type { Page } from 'playwright';
import { createClient } from '#api/client/client.ts';
import { eventApi } from '#api/managers/event.ts';
import { levelLabel } from '#dashboard/managers/event/texts.ts';
import { formatTimeSeconds } from '#dashboard/base/time.ts';
import { lastNight, lastNightTexts } from '#dashboard/panels/sinceFilter.ts';
import { eventsTexts as texts } from '#dashboard/panels/events/texts.ts';
import { eventTitles } from '#dashboard/panels/titles.ts';
import type { DemoLab } from '#demo/lab/lab.ts';
import { violationsInBothThemes } from '../../support/browser/accessibility.ts';
import { outcomes } from '../../support/browser/workcellsPage.ts';
import { expect, test } from '../../support/demoLab.ts';

const eventClient = ({ context }: DemoLab) =>
  createClient(eventApi, { baseUrl: context.event_server_url ?? '', version: null });
const addEvent = (lab: DemoLab, message: string, level = 20) =>
  eventClient(lab).addEvent({ body: { log_level: level, event_data: { message, component_name: 'Tester' } } });
const log = (page: Page) => page.getByRole('grid', { name: texts.caption });
const findLine = (page: Page, message: string) => log(page).getByRole('row').filter({ hasText: message });

test('the event page follows the log, pauses, filters by level and shows an event with the surrounding ones @fast', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  await addEvent(lab, 'the lid is on');
  await addEvent(lab, 'the arm lost its plate', 40);
  await page.goto(`${url}events`);
  await expect(findLine(page, 'the arm lost its plate')).toContainText(levelLabel(40));
  await expect(page.getByRole('img', { name: texts.histogram })).toBeVisible();
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  await addEvent(lab, 'a new line');
  await expect(findLine(page, 'a new line')).toBeVisible();

  // While paused, no event is added, and the pending ones are counted.
  await page.getByRole('button', { name: texts.pause }).click();
  await addEvent(lab, 'came meanwhile');
  await expect(page.getByRole('button', { name: texts.newEvents(1) })).toBeVisible();
  await expect(findLine(page, 'came meanwhile')).toHaveCount(0);
  await page.getByRole('button', { name: texts.newEvents(1) }).click();
  await expect(findLine(page, 'came meanwhile')).toBeVisible();

  await page.getByLabel(texts.level).selectOption({ label: texts.andAbove(levelLabel(40)) });
  await expect(findLine(page, 'the lid is on')).toHaveCount(0);
  await findLine(page, 'the arm lost its plate').getByRole('link').first().click();
  const side = page.getByRole('complementary', { name: eventTitles.event });
  // The surrounding events include every level.
  await expect(side.getByRole('link', { name: 'the lid is on' })).toBeVisible();
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  await side.getByRole('link', { name: 'Open full page' }).click();
  await expect(page).toHaveURL(/\/events\/[0-9A-Z]{26}$/);
  await expect(page.getByRole('main')).toContainText('the arm lost its plate');
});

test('one press shows last night’s events, and the address contains the range and the search', async ({
  page,
  demo,
}) => {
  const { url } = await demo({ past: true });
  await page.goto(`${url}events`);
  await page.getByRole('button', { name: lastNightTexts.title }).click();
  const { from, to } = lastNight(Date.now());
  await expect(page).toHaveURL(new RegExp(`from=${from}&to=${to}`));
  const bars = page.getByRole('img', { name: texts.histogram });
  await expect(bars).toHaveAttribute('aria-label', new RegExp(`: .*${formatTimeSeconds(from, Date.now())}–`));
  await page.getByRole('searchbox').fill('completed');
  await expect(page).toHaveURL(/q=completed/);
  await expect(log(page).getByRole('row').nth(1)).toContainText('ompleted');
  const shared = await page.context().newPage();
  await shared.goto(page.url());
  await expect(shared.getByRole('searchbox')).toHaveValue('completed');
  await expect(shared.getByLabel(texts.range.from)).toHaveValue(/ 18:00:00$/);
  await expect(log(shared).getByRole('row').nth(1)).toContainText('ompleted');
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
});

test('the page of an object links to the events about it', async ({ page, demo }) => {
  const { lab, url } = await demo({ past: true });
  const workflowId = Object.values(await eventClient(lab).getEvents({ number: 200 }))
    .map(({ event_data: data }) => (data as { workflow_id?: unknown }).workflow_id)
    .find((id): id is string => typeof id === 'string');
  if (workflowId === undefined) throw new Error('No event of the demo lab names a workflow');
  await page.goto(`${url}workflows/${workflowId}`);
  await page.getByRole('main').getByRole('link', { name: 'Events', exact: true }).click();
  await expect(page).toHaveURL(/about=workflow/);
  const lines = log(page).getByRole('row');
  await expect(lines.nth(1)).toBeVisible();
  for (const line of (await lines.all()).slice(1, 6))
    await expect(line.getByRole('link', { name: /^Workflow/ })).toHaveAttribute('title', workflowId);
  await page.getByRole('button', { name: texts.all }).click();
  await expect(page).not.toHaveURL(/about=/);
});

test('selected events are archived after a confirmation, and a dialog counts the events before a date', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  await addEvent(lab, 'worth keeping apart');
  await page.goto(`${url}events`);
  await findLine(page, 'worth keeping apart').getByRole('checkbox').check();
  await page.getByRole('button', { name: texts.archive.selected(1) }).click();
  const confirmation = page.getByRole('alertdialog');
  await expect(confirmation).toContainText(texts.archive.confirmArchive(1));
  await confirmation.getByRole('button', { name: texts.archive.action, exact: true }).click();
  await expect(outcomes(page)).toContainText(texts.archive.done(1));
  await expect(findLine(page, 'worth keeping apart')).toHaveCount(0);
  await page.goto(`${url}events?as=archived`);
  await expect(findLine(page, 'worth keeping apart')).toBeVisible();
  await page.goto(`${url}events`);
  await page.getByRole('button', { name: 'Archive before a date…' }).click();
  await expect(confirmation.getByRole('status')).toHaveText(texts.archive.countNow(0));
  await confirmation.getByRole('button', { name: 'Go back' }).click();
  await page.goto(`${url}events/01ABSENT000000000000000000`);
  await expect(page.getByText(texts.page.missing('01ABSENT000000000000000000'))).toBeVisible();
});
