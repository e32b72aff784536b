/** Managers on hosts in other time zones, and clocks that are wrong: every page shows when it really was. */
import type { Page } from 'playwright/test';
import { appTexts } from '../../dashboard/app/texts.ts';
import { contextKey, managerKeys } from '../../api/managers.ts';
import { shiftClock } from '../support/browser/shiftedClock.ts';
import { startZoneProxy, type ZoneProxy } from '../support/network/zoneProxy.ts';
import { expect, test } from '../support/demoLab.ts';
import { atWork, ended, every, slow, submit } from './workflows/workflowsLab.ts';

/** Six managers in six zones, the browser in a seventh. The resource manager writes UTC wherever it is. */
const zones = {
  event: 'Asia/Tokyo',
  experiment: 'America/New_York',
  resource: 'UTC',
  data: 'Asia/Kolkata',
  workcell: 'Europe/Berlin',
  location: 'Pacific/Auckland',
} as const;
test.use({ timezoneId: 'America/Denver' });

const proxies: ZoneProxy[] = [];
test.afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
});

const browserZone = 'America/Denver';
const clockIn = (at: number): string =>
  new Date(at).toLocaleTimeString('en-GB', { timeZone: browserZone, hour: '2-digit', minute: '2-digit' });

/** Whether the page shows the moment, ms since the epoch: as the time of a `time` element, or as a clock time of its text. */
async function shows(page: Page, at: number): Promise<boolean> {
  const texts = await page
    .locator('main time[datetime]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('datetime')));
  if (texts.some((text) => Math.abs(Date.parse(text ?? '') - at) < 2500)) return true;
  const words = await page.locator('main').innerText();
  return [at - 2000, at, at + 2000].some((moment) => words.includes(clockIn(moment)));
}

async function showsMoment(page: Page, at: number): Promise<void> {
  await expect.poll(() => shows(page, at), { message: page.url() }).toBe(true);
}

test('pages opened cold show the times of six managers in six zones', async ({ page, demo, service }) => {
  test.setTimeout(90_000);
  const { lab } = await demo({ past: true });
  const addresses = await Promise.all(
    managerKeys.map(async (manager) => {
      const proxy = await startZoneProxy(lab.context[`${manager}_server_url`], zones[manager]);
      proxies.push(proxy);
      return `${contextKey(manager)}: ${proxy.url}`;
    }),
  );
  const { url } = await service({ files: { 'settings.yaml': addresses.join('\n') } });
  const before = Date.now();
  const { workflow_id: id } = await submit(lab, 'Time zones', [slow(1)]);
  await ended(lab, id);
  const [experiment] = lab.managers.experiment.store.list(1);
  const started = Date.parse(`${experiment?.started_at}Z`);
  const [datapoint] = lab.managers.data.store.list(1);
  const stored = Date.parse(`${datapoint?.data_timestamp}Z`);
  for (const [path, at] of [
    [`workflows/${id}`, before],
    ['workflows', before],
    [`workcells/nodes/${every}`, before],
    ['events', before],
    [`experiments/${experiment?.['_id']}`, started],
    ['experiments', started],
    [`data/${datapoint?.['_id']}`, stored],
    ['data', stored],
  ] as const) {
    await page.goto(new URL(path, url).href);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await showsMoment(page, at);
  }
  await page.goto(new URL('locations', url).href);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('.clock-notice')).toHaveCount(0);
});

for (const [name, aheadMs] of [
  ['ahead', 37 * 60_000],
  ['behind', -37 * 60_000],
] as const)
  test(`a computer whose clock is 37 min ${name} shows right durations, and says so once`, async ({ page, demo }) => {
    const { lab, url } = await demo();
    const { workflow_id: id } = await submit(lab, 'Clock test', [slow(30)]);
    const { start_time: start } = await atWork(lab, id);
    await shiftClock(page, aheadMs);
    await page.goto(new URL(`workflows/${id}`, url).href);
    await expect(page.getByText(appTexts.clocks.page('37 min', aheadMs > 0))).toBeVisible();
    await showsMoment(page, Date.parse(`${start}Z`));
    await expect(page.getByText(/\b37 min|\b36 min|\b38 min/).filter({ hasNotText: 'clock' })).toHaveCount(0);
    await page.locator('.clock-notice').getByRole('button', { name: 'Dismiss' }).click();
    await page.goto(new URL('events', url).href);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('.clock-notice')).toHaveCount(0);
  });

test('a lab whose clock is wrong by 20 min shows when it really was', async ({ page, demo }) => {
  const { lab, url } = await demo();
  lab.clock.setError(20 * 60_000);
  const before = Date.now();
  const { workflow_id: id } = await submit(lab, 'Clock test', [slow(30)]);
  await atWork(lab, id);
  await page.goto(new URL(`workflows/${id}`, url).href);
  // The Date header has whole seconds.
  const notice = new RegExp(appTexts.clocks.manager('Workcell Manager', '(19 min 5\\d s|20 min( \\d s)?)', true));
  await expect(page.getByText(notice)).toBeVisible();
  await showsMoment(page, before);
});
