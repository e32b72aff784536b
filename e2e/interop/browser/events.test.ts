/** The Events panel with a real event manager: a line is found by the manager's query, opened and archived. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { eventTitles } from '#dashboard/panels/titles.ts';
import { eventsTexts as texts } from '#dashboard/panels/events/texts.ts';
import { events, uniqueName, getId } from '../behaviour/lab.ts';
import { button, LabPages, expectVisible } from './labPage.ts';

let pages: LabPages;
beforeAll(async () => {
  pages = await LabPages.start();
});
afterAll(() => pages.stop());
afterEach(() => pages.close());

const addLogEvent = (message: string, level: number, fields: object = {}) =>
  events.addEvent({ body: { log_level: level, event_data: { message, component_name: 'Tester', ...fields } } });

it('an event is found by time and level, shown with its neighbours and archived', async () => {
  const [routine, loud] = [uniqueName('the lid is on'), uniqueName('the arm lost its plate')];
  await addLogEvent(routine, 20);
  const stored = getId(await addLogEvent(loud, 40));
  const page = await pages.open('events?period=hour&level=40');
  const log = page.getByRole('grid', { name: texts.caption });
  await expectVisible(log.getByRole('row'), loud);
  expect(await log.getByRole('row').filter({ hasText: routine }).count()).toBe(0);
  await log.getByRole('row').filter({ hasText: loud }).getByRole('link').first().click();
  const side = page.getByRole('complementary', { name: eventTitles.event });
  await expectVisible(side.getByRole('link'), routine);
  await log.getByRole('row').filter({ hasText: loud }).getByRole('checkbox').check();
  await button(page, texts.archive.selected(1)).click();
  await page.getByRole('alertdialog').getByRole('button', { name: texts.archive.action, exact: true }).click();
  await expect.poll(async () => (await events.getEvent({ event_id: stored })).archived).toBe(true);
});

it('the events about one object are found, and no others', async () => {
  const workflow_id = '01JAR5ZV1XJ6W3C1V5T0F2N8QZ';
  const [matching, other] = [uniqueName('about it'), uniqueName('about nothing')];
  await addLogEvent(matching, 20, { workflow_id });
  await addLogEvent(other, 20);
  const page = await pages.open(`events?about=workflow:${workflow_id}`);
  const log = page.getByRole('grid', { name: texts.caption });
  await expectVisible(log.getByRole('row'), matching);
  expect(await log.getByRole('row').filter({ hasText: other }).count()).toBe(0);
});

it('the manager’s utilization report is shown by period, with sessions derived from workflows', async () => {
  const page = await pages.open('events/utilization');
  const periods = page.getByRole('region', { name: 'Utilization by period' });
  await expectVisible(periods.getByRole('row'), /%/);
  expect(await periods.getByRole('row').count()).toBeGreaterThan(7);
  await expectVisible(page.getByRole('region', { name: 'Sessions' }), '≈');
});
