/**
 * The pages of events, experiments and data report the faults of their managers. The event page works with a wrong
 * clock, and the utilization page without the report of the manager.
 */
import { createClient } from '#api/client/client.ts';
import { eventApi } from '#api/managers/event.ts';
import { commonTexts } from '#dashboard/base/texts.ts';
import { failureTexts } from '#dashboard/managers/transport/failure.ts';
import { dataPanelTexts } from '#dashboard/panels/data/texts.ts';
import { eventTitles } from '#dashboard/panels/titles.ts';
import { eventsTexts, utilizationTexts } from '#dashboard/panels/events/texts.ts';
import { experimentsTexts } from '#dashboard/panels/experiments/texts.ts';
import { violationsInBothThemes } from '../../support/browser/accessibility.ts';
import { expect, test } from '../../support/demoLab.ts';

const pages = [
  ['event', 'events', eventsTexts.caption],
  ['experiment', 'experiments', experimentsTexts.caption],
  ['data', 'data', dataPanelTexts.caption],
] as const;

test('each page reports that its manager fails or limits requests, and shows the data when a retry succeeds', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo({ past: true });
  for (const [manager, path, caption] of pages) {
    await lab.faults.setManager(manager, { kind: 'error500' });
    await page.goto(`${url}${path}`);
    const main = page.getByRole('main');
    await expect(main).toContainText(
      'is running, but the request failed or the page is not allowed to read the response',
    );
    await lab.faults.setManager(manager, { kind: 'limit429' });
    await page.getByRole('button', { name: commonTexts.retryNow }).click();
    await expect(main).toContainText(failureTexts.busy);
    await lab.faults.setManager(manager, null);
    // The button is gone if the page has repeated the request by itself.
    await page
      .getByRole('button', { name: commonTexts.retryNow })
      .click({ timeout: 2000 })
      .catch(() => undefined);
    await expect(page.getByRole('grid', { name: caption }).getByRole('row').nth(1)).toBeVisible();
    await expect(page.getByRole('button', { name: commonTexts.retryNow })).toHaveCount(0);
  }
});

test('the event page shows a new event within the last 15 minutes although the lab’s clock is hours behind', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  lab.faults.setClockError(-5 * 3_600_000);
  const manager = createClient(eventApi, { baseUrl: lab.context.event_server_url ?? '', version: null });
  const addEvent = (message: string) => manager.addEvent({ body: { log_level: 20, event_data: { message } } });
  await page.goto(`${url}events?period=minutes15`);
  const lines = page.getByRole('grid', { name: eventsTexts.caption }).getByRole('row');
  await expect(page.getByRole('main')).toContainText(eventsTexts.none);
  await addEvent('the lid is on');
  // The new event reveals the time of the lab's clock.
  await expect(lines.filter({ hasText: 'the lid is on' })).toBeVisible();
});

test('the utilization page shows how much the lab was used, and estimates the users when the manager fails', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo({ past: true });
  await page.goto(`${url}events`);
  await page.getByRole('link', { name: eventTitles.utilization }).click();
  const part = (name: string) => page.getByRole('region', { name, exact: true }).first();
  await expect(part('By period').getByRole('row')).not.toHaveCount(0);
  await expect(part('By user').getByRole('row').nth(1)).toBeVisible();
  await expect(part('Sessions').getByRole('row').nth(1)).toContainText('≈');
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  // Without the manager's report the users are estimated from the workflows.
  await lab.faults.setManager('event', { kind: 'garbage' });
  await page.getByLabel('Time').selectOption({ label: utilizationTexts.spans.day });
  await expect(page.getByText(/the answer is not JSON/).first()).toBeVisible();
  await expect(part('By user')).toContainText('≈ from the authors of the workflows');
});
