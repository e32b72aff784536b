/**
 * The Overview of a lab with nodes and workflows: counts, items that need attention, recent incidents, running work.
 */
import { workflowsTexts } from '../../dashboard/panels/workflows/texts.ts';
import { safetyStopTexts } from '../../api/safetyStop/safetyStopTexts.ts';
import type { Page } from 'playwright';
import { labHistory } from '../../api/lab/lab.ts';
import { overviewTexts } from '../../dashboard/panels/overview/texts.ts';
import { violations } from '../support/browser/accessibility.ts';
import { expect, test, type Demo } from '../support/demoLab.ts';
import { controlTime, type PageTime } from '../support/browser/pageTime.ts';
import { workflowStateTexts } from '../../dashboard/managers/workcell/workflowState.ts';

const heading = 'heading';

/** Submits a workflow of one step on a demo node. @returns its ID */
async function submit({ lab }: Demo, name: string, node: string, action: string, args: object): Promise<string> {
  const base = lab.context.workcell_server_url;
  const json = { 'content-type': 'application/json' };
  const definition = { name, steps: [{ name: action, node, action, args }] };
  const id = (await (
    await fetch(new URL('workflow_definition', base), {
      method: 'POST',
      headers: json,
      body: JSON.stringify(definition),
    })
  ).json()) as string;
  const body = new URLSearchParams({ workflow_definition_id: id });
  const response = await fetch(new URL('workflow', base), { method: 'POST', body });
  const started = (await response.json()) as { workflow_id?: string; detail?: string };
  if (started.workflow_id === undefined) throw new Error(`The demo lab refused ${name}: ${started.detail ?? ''}`);
  return started.workflow_id;
}

test('the heading counts nodes and workflows, and a node that needs attention is listed with a link @fast', async ({
  page,
  demo,
}) => {
  const started = await demo();
  await page.goto(started.url);
  await expect(page.getByRole(heading, { level: 1 })).toContainText(
    'All 6 managers healthy, 5 nodes ready, no workflow running.',
  );
  await started.lab.faults.setNode('platereader_1', 'errored');
  const attention = page.getByRole('region', { name: overviewTexts.attention });
  await expect(attention).toContainText('platereader_1');
  await expect(attention).toContainText('motor stalled');
  await expect(page.getByRole('navigation').getByRole('link', { name: /Workcells.*1 needs attention/ })).toBeVisible();
  await expect(page.getByRole(heading, { level: 1 })).toContainText('4 nodes ready and 1 in error');
  expect(await violations(page, ['target-size'])).toEqual([]);
  const banner = page.getByRole('banner');
  await page.setViewportSize({ width: 1280, height: 500 });
  await banner.getByRole('link', { name: 'Managers 6/6' }).click();
  await expect(page.getByRole(heading, { name: 'Managers', exact: true })).toBeInViewport();
  await banner.getByRole('link', { name: '1 needs you' }).click();
  await expect(page.getByRole(heading, { name: overviewTexts.attention })).toBeInViewport();
  await attention.getByRole('link', { name: 'Open node' }).click();
  await expect(page.getByRole(heading, { level: 1 })).toHaveText('platereader_1');
  await page.goBack();
  await started.lab.faults.setNode('platereader_1', null);
  await expect(page.getByRole(heading, { level: 1 })).toContainText('5 nodes ready');
});

test('a tablet shows every node that needs attention, and the heading names two of them', async ({ page, demo }) => {
  const started = await demo();
  for (const { name } of started.lab.nodes) await started.lab.faults.setNode(name, 'errored');
  await page.setViewportSize({ width: 820, height: 1180 });
  await page.goto(started.url);
  const attention = page.getByRole('region', { name: overviewTexts.attention });
  for (const { name } of started.lab.nodes)
    await expect(attention.getByRole('listitem').filter({ hasText: name })).toBeVisible();
  await expect(page.getByRole(heading, { level: 1 })).toContainText(/in error, \w+ in error and \d more\./);
  expect(await violations(page, ['target-size'])).toEqual([]);
});

test('a wall screen shows the whole page if it fits, and otherwise scrolls to its end', async ({ page, demo }) => {
  const started = await demo();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto(new URL('?kiosk', started.url).href);
  await expect(page.getByRole(heading, { level: 1 })).toHaveText(/5 nodes ready/);
  const distanceToEnd = () =>
    page.getByRole('main').evaluate((main) => Math.round(main.getBoundingClientRect().bottom - innerHeight));
  expect(await distanceToEnd()).toBeLessThanOrEqual(1);

  for (const { name } of started.lab.nodes) await started.lab.faults.setNode(name, 'errored');
  await page.clock.install();
  await page.setViewportSize({ width: 1920, height: 640 });
  await page.goto(new URL('?kiosk', started.url).href);
  const attention = page.getByRole('region', { name: overviewTexts.attention });
  for (const { name } of started.lab.nodes)
    await expect(attention.getByRole('listitem').filter({ hasText: name })).toBeVisible();
  expect(await distanceToEnd()).toBeGreaterThan(0);
  await expect
    .poll(async () => {
      const distance = await distanceToEnd();
      if (distance > 1) await page.clock.fastForward(5000);
      return distance;
    })
    .toBeLessThanOrEqual(1);
});

test('an incident since the last visit is shown, although it is resolved, until it is marked as read', async ({
  page,
  demo,
}) => {
  const started = await demo();
  await page.goto(started.url);
  await expect(page.getByRole(heading, { level: 1 })).toHaveText(/5 nodes ready/);
  await expect(page.getByText(/^Since your last visit/)).toHaveCount(0);
  await page.goto('about:blank');
  await started.lab.faults.setNode('robotarm_1', 'errored');
  await expect.poll(() => started.lab.nodes.find(({ name }) => name === 'robotarm_1')?.status().errored).toBe(true);
  await started.lab.faults.setNode('robotarm_1', null);
  await page.goto(started.url);
  const changes = page.getByRole('region', { name: /^Since your last visit/ });
  await expect(changes).toContainText('robotarm_1 error: motor stalled');
  await changes.getByRole('button', { name: 'Mark as read' }).click();
  await expect(changes).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole(heading, { level: 1 })).toHaveText(/5 nodes ready/);
  await expect(changes).toHaveCount(0);
});

test('a workflow that waits for a node in error is listed as queued, and the node needs attention', async ({
  page,
  demo,
}) => {
  const started = await demo();
  const arm = started.lab.nodes.find(({ name }) => name === 'robotarm_1')!;
  const action = Object.values(arm.info().actions).find(({ locations }) => Object.keys(locations ?? {}).length === 0);
  expect(action, 'an action without locations').toMatchObject({ name: expect.any(String) });
  await started.lab.faults.setNode('robotarm_1', 'errored');
  // Until the workcell manager has read the arm's error, it would start the step.
  const { nodes } = started.lab.managers.workcell.store;
  await expect.poll(() => nodes.get('robotarm_1')?.status?.errored).toBe(true);
  await page.goto(started.url);
  await submit(started, 'Park the arm', 'robotarm_1', action!.name, {});
  const running = page.getByRole('region', { name: 'Running now' });
  await expect(running.getByRole('link', { name: 'Park the arm' })).toBeVisible();
  await expect(running).toContainText(workflowStateTexts.queued);
  await expect(page.getByRole('region', { name: overviewTexts.attention })).toContainText('One workflow waits for it');
});

test('the Overview reports an unavailable workcell manager without its nodes, and recovers', async ({ page, demo }) => {
  // The watch detects it at its next check, and the page retries with increasing delays.
  const started = await demo();
  await page.goto(started.url);
  await expect(page.getByRole(heading, { level: 1 })).toHaveText(/5 nodes ready/);
  await started.lab.faults.setManager('workcell', { kind: 'down' });
  await expect(page.getByRole(heading, { level: 1 })).toHaveText(/^Workcell Manager unreachable/, {});
  await expect(page.getByRole('region', { name: overviewTexts.attention })).toContainText('Workcell Manager');
  await expect(page.getByRole(heading, { level: 1 })).not.toContainText('nodes');
  await started.lab.faults.setManager('workcell', null);
  await expect(page.getByRole(heading, { level: 1 })).toHaveText(/All 6 managers healthy, 5 nodes ready/, {});
});

/**
 * Converts the service's times to the page's clock, because this machine's clock hardly advances while the page's does. The
 * checks of the managers are spread over the interval, as after a long time, which causes the most requests.
 */
async function watchInPageTime(page: Page, time: PageTime): Promise<void> {
  await page.route('**/lab_health/history', async (route) => {
    const response = await route.fetch();
    const history = labHistory.parse(await response.json());
    const now = time.now();
    const interval = history.interval_seconds * 1000;
    const managers = history.managers.map((manager, index, { length }) => {
      const checkedAt = now - ((now + (index * interval) / length) % interval);
      return { ...manager, last_checked: manager.last_checked && new Date(checkedAt).toISOString() };
    });
    await route.fulfill({ response, json: { ...history, now: new Date(now).toISOString(), managers } });
  });
}

test('the busiest pages send at most 84 requests a minute, as many as MADSci’s own dashboard', async ({
  page,
  demo,
  guard,
}) => {
  // Almost four minutes of the page's time in small steps.
  const started = await demo();
  const time = await controlTime(page);
  await watchInPageTime(page, time);
  for (const [path, read] of [
    ['', /5 nodes ready/],
    ['workflows', workflowsTexts.list.idle],
    ['workcells', /^5 nodes: /],
  ] as const) {
    await page.goto(new URL(path, started.url).href);
    await expect(page.getByText(read).first()).toBeVisible();
    // Requests at the start do not count; some follow after the first content is visible.
    await time.advance(15_000);
    const countsBefore = countRequests(guard.requests);
    // A whole minute: in half a minute each poller can send one request more or less, and doubling would double that
    // error.
    await time.advance(60_000);
    const perMinute = countRequests(guard.requests) - countsBefore;
    console.log(`${path || 'overview'}: ${perMinute} requests a minute`);
    expect(perMinute, path || 'overview').toBeGreaterThan(0);
    expect(perMinute, path || 'overview').toBeLessThanOrEqual(84);
    await time.runInRealTime();
  }
});

test('the time of an attention item does not overlap its button at widths from 420 to 1920 px', async ({
  page,
  demo,
}) => {
  const started = await demo();
  await started.lab.faults.setManager('data', { kind: 'down' });
  await page.goto(started.url);
  const line = page.getByRole('region', { name: overviewTexts.attention }).getByRole('listitem').first();
  await expect(line).toContainText('Data Manager');
  for (const width of [1920, 1280, 960, 700, 420]) {
    await page.setViewportSize({ width, height: 800 });
    // The longest possible time text, and an action as long as a workflow's.
    const covered = await line.evaluate((element) => {
      const [when, action] = ['.when', '.action .button'].map((selector) => element.querySelector(selector)!);
      when!.textContent = '31 Dec 23:59, 23 h 59 min ago';
      action!.textContent = 'Open experiment';
      const text = document.createRange();
      text.selectNodeContents(when!);
      const [a, b] = [text.getBoundingClientRect(), action!.getBoundingClientRect()];
      return a.right > b.left && a.left < b.right && a.bottom > b.top && a.top < b.bottom;
    });
    expect(covered, `at ${width} px`).toBe(false);
  }
});

test('a hidden page sends no requests and refreshes at once when it becomes visible', async ({ page, demo, guard }) => {
  const started = await demo();
  const time = await controlTime(page);
  await page.addInitScript(() => {
    Object.defineProperty(document, 'visibilityState', {
      get: () => (document.documentElement.classList.contains('unseen') ? 'hidden' : 'visible'),
    });
  });
  const setVisible = (isVisible: boolean) =>
    page.evaluate((visible) => {
      document.documentElement.classList.toggle('unseen', !visible);
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    }, isVisible);
  await page.goto(started.url);
  await expect(page.getByRole(heading, { level: 1 })).toHaveText(/5 nodes ready/);
  await setVisible(false);
  // By then all earlier requests have a response.
  await time.advance(2000);
  const countsBefore = countRequests(guard.requests);
  await time.advance(60_000);
  expect(guard.requests.filter((url) => !url.includes('/assets/')).slice(countsBefore)).toEqual([]);
  await started.lab.faults.setNode('platereader_1', 'errored');
  await time.runInRealTime();
  await setVisible(true);
  await expect(page.getByRole('region', { name: overviewTexts.attention })).toContainText('platereader_1');
});

/** Counts the requests for data; scripts and images are requested only once. */
function countRequests(requests: readonly string[]): number {
  return requests.filter((url) => !/\/assets\//.test(url)).length;
}

test('the safety stop is the only button of the wall screen', async ({ page, demo }) => {
  const started = await demo();
  await started.lab.faults.setNode('platereader_1', 'errored');
  await page.goto(new URL('?kiosk', started.url).href);
  await expect(page.getByRole('region', { name: overviewTexts.attention })).toContainText('platereader_1');
  await expect(page.getByRole('button')).toHaveAccessibleName(safetyStopTexts.button);
});
