/**
 * The safety stop: it is sent at once, to every node, independently of failed managers, and reports the result of each
 * node.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright/test';
import { violations } from '../support/browser/accessibility.ts';
import { expect, test, type Demo } from '../support/demoLab.ts';
import { chromiumOptions } from '../support/browser/chromium.ts';
import { withMotion } from '../support/browser/withMotion.ts';
import { delayResponses } from '../support/browser/delayResponses.ts';
import { safetyStopTexts } from '../../api/safetyStop/safetyStopTexts.ts';
import { labTexts } from '../../dashboard/panels/lab/texts.ts';

test.use(withMotion);

const chord = 'Control+Shift+KeyX';

function stopped({ lab }: Demo): string[] {
  return lab.nodes.filter((node) => node.status().stopped).map(({ name }) => name);
}

/** Returns the nodes that support the safety stop. */
function stoppableNodes({ lab }: Demo): string[] {
  return lab.nodes.filter((node) => node.commands().includes('safety_stop')).map(({ name }) => name);
}

/** Two of the demo lab's nodes that have a safety stop. */
const stoppable = ['liquidhandler_1', 'robotarm_1'];

test.beforeEach(({ guard }) => {
  // The console has messages caused by a failed manager and by nodes without CORS headers.
  guard.expected.push(/Failed to load resource|has been blocked by CORS policy/);
});

test('one press stops every node and lists the confirmations, and releasing requires a confirmation @fast', async ({
  page,
  demo,
}) => {
  const started = await demo();
  const able = stoppableNodes(started);
  expect(able).toEqual(expect.arrayContaining(stoppable));
  await page.goto(started.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/healthy/);
  await page.getByRole('button', { name: safetyStopTexts.button }).click();

  const report = page.getByRole('region', { name: safetyStopTexts.title });
  await expect(report.getByRole('alert')).toContainText(
    `${able.length} of ${started.lab.nodes.length} nodes confirmed`,
  );
  expect(stopped(started).toSorted()).toEqual(able.toSorted());
  for (const name of able) await expect(report.getByRole('row', { name })).toContainText('Confirmed');
  const others = started.lab.nodes.filter(({ name }) => !able.includes(name));
  expect(others).not.toEqual([]);
  for (const { name } of others) {
    await expect(report.getByRole('row', { name })).toContainText('which is not a safety stop');
    await expect(report.getByRole('row', { name })).toContainText('Use the hardware stop if it moves');
  }
  expect(others.map((node) => node.status().locked)).not.toContain(false);
  await expect(report.getByRole('alert')).toContainText('use the hardware emergency stop there');
  // The state that the page reads from the nodes; those that respond after 500 ms are also locked and paused.
  for (const name of able)
    await expect(report.getByRole('row', { name }).getByRole('cell').last()).toHaveText(/^Stopped/);
  expect(await violations(page, ['target-size'])).toEqual([]);

  await report.getByRole('button', { name: safetyStopTexts.release }).click();
  expect(stopped(started)).toHaveLength(able.length);
  await expect(report.getByRole('button', { name: safetyStopTexts.releaseBack })).toBeFocused();
  await report.getByRole('button', { name: `Release ${started.lab.nodes.length} nodes now` }).click();
  await expect.poll(() => stopped(started)).toEqual([]);
  await expect.poll(() => others.filter((node) => node.status().locked || node.status().paused)).toEqual([]);
  await expect(report.getByRole('row', { name: others[0]?.name ?? '' })).toContainText('Released');
});

test('the number of nodes without a safety stop is shown before a press', async ({ page, demo }) => {
  const started = await demo();
  const total = started.lab.nodes.length;
  const text = `${total - stoppableNodes(started).length} of ${total} nodes have no safety stop`;
  await page.goto(started.url);
  await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByRole('button', { name: safetyStopTexts.button })).toHaveAttribute('title', new RegExp(text));
  await page.goto(new URL('workcells', started.url).href);
  await expect(page.getByText(text)).toBeVisible();
});

test('the safety stop works by keyboard while a field of the Lab page has the focus', async ({ page, demo }) => {
  const started = await demo();
  await page.goto(new URL('lab', started.url).href);
  const search = page.getByLabel(labTexts.search);
  // Without the addresses the page has no nodes to stop.
  await page.waitForFunction(() => localStorage.getItem('lab-manager.nodes')?.includes('robotarm_1'));
  await search.focus();
  await expect(page.getByText(labTexts.settings)).toBeVisible();
  await page.keyboard.press(chord);
  await expect(page.getByRole('region', { name: safetyStopTexts.title })).toBeFocused();
  await expect.poll(() => stopped(started)).toEqual(expect.arrayContaining(stoppable));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: safetyStopTexts.title })).toHaveCount(0);
});

test('a safety stop pressed before the addresses are known is sent at once, and to no nodes of another lab', async ({
  page,
  demo,
}) => {
  const started = await demo();
  const able = stoppableNodes(started);
  const release = await delayResponses(page, '**/context');
  await page.goto(started.url);
  await page.getByRole('button', { name: safetyStopTexts.button }).click();
  const report = page.getByRole('region', { name: safetyStopTexts.title });
  await expect(report.getByRole('alert')).toContainText(
    `${able.length} of ${started.lab.nodes.length} nodes confirmed`,
  );
  expect(stopped(started).toSorted()).toEqual(able.toSorted());
  release();

  // Reloaded without the addresses, the page stops the nodes that it stored last for this lab, and no other lab's
  // nodes.
  await page.evaluate(() => {
    const storedNodes = localStorage.getItem('lab-manager.nodes') ?? '{}';
    const otherLab = { 'http://127.0.0.1:9/': { other_labs_arm: 'http://127.0.0.1:9/' } };
    localStorage.setItem('lab-manager.nodes', JSON.stringify({ ...otherLab, ...JSON.parse(storedNodes) }));
  });
  const releaseAgain = await delayResponses(page, '**/context');
  await page.reload();
  await page.getByRole('button', { name: safetyStopTexts.button }).click();
  await expect(report.getByRole('row', { name: 'robotarm_1' })).toContainText('Confirmed');
  await expect(report.getByRole('row', { name: 'other_labs_arm' })).toHaveCount(0);
  releaseAgain();
});

test('every confirmed node is released, even before the page has read its state again', async ({ page, demo }) => {
  const started = await demo();
  const able = stoppableNodes(started);
  await page.goto(started.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
  // From here on the page reads no new state of the nodes.
  const abortRequests: (() => void)[] = [];
  await page.route(
    '**/state',
    (route) => new Promise<void>((resolve) => abortRequests.push(() => resolve(route.abort()))),
  );
  await page.getByRole('button', { name: safetyStopTexts.button }).click();
  const report = page.getByRole('region', { name: safetyStopTexts.title });
  await expect(report.getByRole('alert')).toContainText(
    `${able.length} of ${started.lab.nodes.length} nodes confirmed`,
  );
  await report.getByRole('button', { name: safetyStopTexts.release }).click();
  await report.getByRole('button', { name: `Release ${started.lab.nodes.length} nodes now` }).click();
  await expect.poll(() => stopped(started)).toEqual([]);
  for (const abort of abortRequests) abort();
});

test('the safety stop is confirmed by every node itself when the workcell manager is down', async ({ page, demo }) => {
  const started = await demo();
  await page.goto(started.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/healthy/);
  await started.lab.faults.setManager('workcell', { kind: 'down' });
  await page.keyboard.press(chord);
  const report = page.getByRole('region', { name: safetyStopTexts.title });
  await expect.poll(() => stopped(started)).toEqual(expect.arrayContaining(stoppable));
  await expect(report.getByRole('row', { name: 'robotarm_1' })).toContainText(
    safetyStopTexts.outcome.confirmedDirectly,
  );
});

test('the safety stop does not wait for a hanging workcell manager', async ({ page, demo }) => {
  const started = await demo();
  await page.goto(started.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
  await started.lab.faults.setManager('workcell', { kind: 'hang' });
  await page.keyboard.press(chord);
  await expect.poll(() => stopped(started), { intervals: [50] }).toEqual(expect.arrayContaining(stoppable));
});

test('the safety stop reports an unreachable node as not stopped, and a manager without CORS headers is no obstacle', async ({
  page,
  demo,
}) => {
  const started = await demo();
  await page.goto(started.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
  await started.lab.faults.setNode('robotarm_1', 'unreachable');
  await started.lab.faults.setManager('workcell', { kind: 'withoutCors' });
  await page.keyboard.press(chord);
  const report = page.getByRole('region', { name: safetyStopTexts.title });
  await expect(report.getByRole('row', { name: 'robotarm_1' })).toContainText(safetyStopTexts.advice);
  await expect(report.getByRole('alert')).toContainText('hardware emergency stop');
  await expect.poll(() => stopped(started)).toEqual(expect.arrayContaining(['liquidhandler_1']));
});

test('the safety stop works when the lab manager’s own service is unavailable', async ({ page, demo, guard }) => {
  guard.expected.push(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/);
  const started = await demo();
  await page.goto(started.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
  await started.service.manager.stop();
  await page.keyboard.press(chord);
  const report = page.getByRole('region', { name: safetyStopTexts.title });
  await expect(report.getByRole('row', { name: 'robotarm_1' })).toContainText('Confirmed');
  await expect.poll(() => stopped(started)).toEqual(expect.arrayContaining(stoppable));
});

test('the safety stop works when a panel cannot be loaded', async ({ page, demo, guard }) => {
  guard.expected.push(/.*/);
  const started = await demo();
  await page.route(/WorkflowsPanel/, (route) => route.abort());
  await page.goto(new URL('workflows', started.url).href);
  await page.waitForFunction(() => localStorage.getItem('lab-manager.nodes')?.includes('robotarm_1'));
  await page.keyboard.press(chord);
  await expect.poll(() => stopped(started)).toEqual(expect.arrayContaining(stoppable));
});

test('on a phone, the release shows its effects above its buttons', async ({ page, demo }) => {
  const started = await demo();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(started.url);
  await page.getByRole('button', { name: safetyStopTexts.button }).click();
  const report = page.getByRole('region', { name: safetyStopTexts.title });
  await expect(report.getByRole('alert')).toContainText(/nodes confirmed(?!.*still to answer)/);
  await report.getByRole('button', { name: safetyStopTexts.release }).click();
  const buttons = report.locator('footer');
  for (const effect of [...(await report.locator('.effects li').all()), report.locator('p:has(+ .effects)')]) {
    await expect(effect).toBeInViewport({ ratio: 1 });
    const [shown, footer] = [await effect.boundingBox(), await buttons.boundingBox()];
    expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThanOrEqual(footer?.y ?? 0);
  }
});

for (const ms of [0, 100, 500, 3000])
  test(`a browser that is killed ${ms} ms after the press leaves a stop that other screens show and release`, async ({
    page,
    demo,
  }) => {
    const started = await demo();
    await page.goto(started.url);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
    const server = await chromium.launchServer(chromiumOptions);
    const other = await (await chromium.connect(server.wsEndpoint())).newPage();
    await other.goto(started.url);
    await expect(other.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
    const isSent = other.waitForRequest(
      (request) => request.url().endsWith('/safety_stop') && request.method() === 'POST',
    );
    await other.keyboard.press(chord);
    await isSent;
    await sleep(ms);
    await server.kill();

    await expect.poll(() => stopped(started).toSorted()).toEqual(stoppable);
    const banner = page.getByRole('region', { name: safetyStopTexts.banner });
    await expect(banner).toContainText(': 3 of 5 nodes not confirmed');
    await banner.getByRole('button', { name: safetyStopTexts.openReport }).click();
    const report = page.getByRole('region', { name: safetyStopTexts.title });
    await report.getByRole('button', { name: safetyStopTexts.release }).click();
    await report.getByRole('button', { name: 'Release 5 nodes now' }).click();
    await expect(banner).toHaveCount(0);
    expect(started.lab.nodes.filter((node) => !node.status().ready).map(({ name }) => name)).toEqual([]);
  });
