/** Managers on hosts in other time zones, and wrong clocks: every page shows the real time. */
import type { Page } from 'playwright/test';
import { ulid } from 'ulid';
import { createClient } from '../../api/client/client.ts';
import { labStatus } from '../../api/lab/lab.ts';
import { dataApi } from '../../api/managers/data.ts';
import { eventApi } from '../../api/managers/event.ts';
import { experimentApi } from '../../api/managers/experiment.ts';
import { resourceApi } from '../../api/managers/resource.ts';
import type { DemoLab } from '../../demo/lab/lab.ts';
import { appTexts } from '../../dashboard/app/texts.ts';
import { contextKey, managerKeys } from '../../api/managers.ts';
import { offsetAt } from '../../api/time/time.ts';
import { shiftClock } from '../support/browser/shiftedClock.ts';
import { startZoneProxy, type ZoneProxy } from '../support/network/zoneProxy.ts';
import { expect, test } from '../support/demoLab.ts';
import { waitUntilRunning, waitUntilEnded, testNode, slowStep, submit } from './workflows/workflowsLab.ts';

/** Six managers in six zones, the browser in a seventh. The resource manager writes UTC in every zone. */
const zones = {
  event: 'Asia/Tokyo',
  experiment: 'America/New_York',
  resource: 'UTC',
  data: 'Asia/Kolkata',
  workcell: 'Europe/Berlin',
  location: 'Pacific/Auckland',
} as const;
/** The managers whose records reveal their zone; the location manager's records have no time. */
const measured = managerKeys.filter((manager) => manager !== 'location');
test.use({ timezoneId: 'America/Denver' });

const proxies: ZoneProxy[] = [];
test.afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
});

const browserZone = 'America/Denver';
const clockTime = (at: number): string =>
  new Date(at).toLocaleTimeString('en-GB', { timeZone: browserZone, hour: '2-digit', minute: '2-digit' });

interface Times {
  /** The times of the `time` elements, in ms since the epoch. */
  readonly moments: readonly number[];
  /** The clock times in the text: `14:02`. */
  readonly clocks: readonly string[];
}

async function readTimes(page: Page): Promise<Times> {
  const stamps = await page
    .locator('main time[datetime]')
    .evaluateAll((all) => all.map((element) => element.getAttribute('datetime') ?? ''));
  const text = await page.locator('main').innerText();
  return {
    moments: stamps.map((stamp) => Date.parse(stamp)),
    clocks: text.match(/(?<![\w:])\d{2}:\d{2}(?=:\d{2}|\b)/g) ?? [],
  };
}

/** The tolerance for a moment, in ms. */
const toleranceMs = 2500;

/**
 * Returns whether the page shows a moment of the period, in ms since the epoch: as the time of a `time` element, or as a
 * clock time of its text.
 */
async function shows(page: Page, from: number, until: number): Promise<boolean> {
  const { moments, clocks } = await readTimes(page);
  const [first, last] = [from - toleranceMs, until + toleranceMs];
  if (moments.some((moment) => moment > first && moment < last)) return true;
  const minutes = Array.from({ length: Math.ceil((last - first) / 60_000) }, (_, minute) => first + minute * 60_000);
  return [...minutes, last].some((moment) => clocks.includes(clockTime(moment)));
}

async function expectMoment(page: Page, from: number, until = from): Promise<void> {
  await expect.poll(() => shows(page, from, until), { message: page.url() }).toBe(true);
}

/** Times that differ more from now are wrong: no two zones are closer, and the Timeline ends at most half an hour from now. */
const wrongMinutes = 45;

/** The axes of these pages show past hours. */
const withAxis = new Set(['workcells', 'events/utilization']);

/** Returns the times on a page that belong to another zone, in a lab in which everything happened within the last minutes. */
async function wrongTimes(page: Page, hasAxis: boolean): Promise<readonly string[]> {
  const { moments, clocks } = await readTimes(page);
  const now = Date.now();
  const minutes = Array.from({ length: 2 * wrongMinutes }, (_, minute) => minute - wrongMinutes);
  const right = new Set(minutes.map((minute) => clockTime(now + minute * 60_000)));
  return [
    ...moments
      .filter((moment) => Math.abs(moment - now) > wrongMinutes * 60_000)
      .map((moment) => new Date(moment).toISOString()),
    ...(hasAxis ? [] : clocks.filter((text) => !right.has(text))),
  ];
}

test('pages that are opened directly show correct times from six managers in six time zones', async ({
  page,
  demo,
  service,
}) => {
  const { lab } = await demo({ inventory: false });
  const at = Date.now();
  // Runs before the service starts, which measures the zones from the managers' records.
  const created = await makeOneOfEach(lab);
  await lab.faults.setNode('robotarm_1', 'errored');
  const until = Date.now();
  const addresses = await Promise.all(
    managerKeys.map(async (manager) => {
      const proxy = await startZoneProxy(lab.context[`${manager}_server_url`], zones[manager]);
      proxies.push(proxy);
      return `${contextKey(manager)}: ${proxy.url}`;
    }),
  );
  const { url } = await service({ files: { 'settings.yaml': addresses.join('\n') } });
  await expect.poll(() => measuredManagers(url)).toEqual(expect.arrayContaining(measured));
  for (const path of [
    '',
    'workcells',
    `workcells/nodes/${testNode}`,
    'workflows',
    `workflows/${created.workflow}`,
    'timeline',
    'history',
    'experiments',
    'experiments?as=campaigns',
    `experiments/${created.experiments[0]}`,
    `experiments/compare?ids=${created.experiments.join()}`,
    'resources',
    `resources/${created.resource}`,
    'data',
    `data/${created.datapoints[0]}`,
    `data/compare?ids=${created.datapoints.join()}`,
    'events',
    'events?as=archived',
    `events/${created.event}`,
    'events/utilization',
  ]) {
    await page.goto(new URL(path, url).href);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // Without incidents the history of the managers shows no time.
    if (path !== 'history') await expectMoment(page, at, until);
    expect.soft(await wrongTimes(page, withAxis.has(path)), page.url()).toEqual([]);
  }
  await page.goto(new URL('locations', url).href);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('.clock-notice')).toHaveCount(0);
});

/** Returns the managers whose time zone the service has measured. Before that, times are marked as the manager's own. */
async function measuredManagers(url: string): Promise<readonly string[]> {
  const status = labStatus.parse(await (await fetch(new URL('lab_health/history', url))).json());
  const now = Date.now();
  return status.managers
    .filter(({ manager, clock }) => {
      const zone = clock?.time_zone ?? null;
      return zone !== null && offsetAt(zone, now) === offsetAt(zones[manager], now);
    })
    .map(({ manager }) => manager);
}

/**
 * Creates two experiments of a campaign, a workflow, a resource, two datapoints and an archived event.
 * @returns their IDs
 */
async function makeOneOfEach(lab: DemoLab) {
  const createApiClient = <A extends Parameters<typeof createClient>[0]>(api: A, baseUrl: string) =>
    createClient(api, { baseUrl, version: null });
  const { context } = lab;
  const experiment = createApiClient(experimentApi, context.experiment_server_url);
  const owner = { campaign_id: ulid() };
  const started = await Promise.all(
    ['Salt 1', 'Salt 2'].map((name) =>
      experiment.startExperiment({
        body: { experiment_design: { experiment_name: name, ownership_info: owner }, run_name: name },
      }),
    ),
  );
  const { workflow_id: workflow } = await submit(lab, 'Time zones', [slowStep(1)]);
  await waitUntilEnded(lab, workflow);
  const resources = createApiClient(resourceApi, context.resource_server_url);
  const { resource_id: resource } = await resources.addResource({
    body: { base_type: 'discrete_consumable', resource_name: 'Tips', quantity: 38, capacity: 1000 },
  });
  const data = createApiClient(dataApi, context.data_server_url);
  const datapoints = await Promise.all(
    [7.2, 7.4].map((value) => data.addDatapoint({ body: { datapoint: { label: 'pH', data_type: 'json', value } } })),
  );
  const events = createApiClient(eventApi, context.event_server_url);
  const [event = '', archived = ''] = Object.keys(await events.getEvents({ number: 10 }));
  await events.archiveEvents({ body: { event_ids: [archived] } });
  return {
    workflow,
    resource,
    event,
    experiments: started.map(({ _id: id }) => id),
    datapoints: datapoints.map(({ _id: id }) => id),
  };
}

for (const [name, aheadMs] of [
  ['ahead', 37 * 60_000],
  ['behind', -37 * 60_000],
] as const)
  test(`a page on a computer whose clock is 37 min ${name} shows correct times and a notice`, async ({
    page,
    demo,
  }) => {
    const { lab, url } = await demo();
    const { workflow_id: id } = await submit(lab, 'Clock test', [slowStep(30)]);
    const { start_time: start } = await waitUntilRunning(lab, id);
    await shiftClock(page, aheadMs);
    await page.goto(new URL(`workflows/${id}`, url).href);
    // The measured difference varies by a second.
    const notice = new RegExp(appTexts.clocks.page('(36 min 5\\d s|37 min( \\d s)?)', aheadMs > 0));
    await expect(page.getByText(notice)).toBeVisible();
    await expectMoment(page, Date.parse(`${start}Z`));
    await expect(page.getByText(/\b37 min|\b36 min|\b38 min/).filter({ hasNotText: 'clock' })).toHaveCount(0);
    await page.locator('.clock-notice').getByRole('button', { name: 'Dismiss' }).click();
    await page.goto(new URL('events', url).href);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('.clock-notice')).toHaveCount(0);
  });

test('a workflow of a lab whose clock is 20 min ahead is shown with a notice and its correct time', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  lab.clock.setError(20 * 60_000);
  const startedAt = Date.now();
  const { workflow_id: id } = await submit(lab, 'Clock test', [slowStep(30)]);
  await waitUntilRunning(lab, id);
  const runningSince = Date.now();
  await page.goto(new URL(`workflows/${id}`, url).href);
  // The Date header has a resolution of one second.
  const notice = new RegExp(appTexts.clocks.manager('Workcell Manager', '(19 min 5\\d s|20 min( \\d s)?)', true));
  await expect(page.getByText(notice)).toBeVisible();
  await expectMoment(page, startedAt, runningSince);
});
