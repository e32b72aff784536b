/** After a safety stop the lab is shown as stopped everywhere, until the stop is released or acknowledged. */
import type { Page } from 'playwright/test';
import { events as eventList } from '../../api/managers/event.ts';
import { eventsTexts } from '../../dashboard/panels/events/texts.ts';
import { commandSource, readRecordedCommand, stopCommands, type RecordedCommand } from '../../api/commandRecord.ts';
import { safetyStopTexts as texts } from '../../api/safetyStop/safetyStopTexts.ts';
import { expect, test, type Demo } from '../support/demoLab.ts';

const banner = (page: Page) => page.getByRole('region', { name: texts.banner });
const report = (page: Page) => page.getByRole('region', { name: texts.title });

async function press(page: Page): Promise<void> {
  await page.getByRole('button', { name: texts.button, exact: true }).click();
}

/** Reads the recorded commands from the event log, oldest first. */
async function readCommandRecords({ lab }: Demo): Promise<RecordedCommand[]> {
  const response = await fetch(`${lab.context.event_server_url}events?number=0`);
  const recordedCommands = Object.values(eventList.parse(await response.json())).flatMap(
    (event) => readRecordedCommand(event) ?? [],
  );
  return recordedCommands.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Returns the recorded commands, oldest first. A slow machine records several results of a stop; the first one counts. */
async function listRecordedCommands(started: Demo): Promise<string[]> {
  const commands = (await readCommandRecords(started)).map(({ record }) => record.command);
  return commands.filter((command, index) => command !== stopCommands.result || commands.indexOf(command) === index);
}

/** Waits until the report shows that every node with a safety stop has confirmed it. */
async function waitUntilConfirmed(page: Page, { lab }: Demo): Promise<void> {
  const confirmed = lab.nodes.filter((node) => node.commands().includes('safety_stop')).length;
  const text = `${confirmed} of ${lab.nodes.length} nodes confirmed`;
  await expect(report(page).getByRole('alert')).toContainText(text);
}

async function release(page: Page): Promise<void> {
  await report(page).getByRole('button', { name: texts.release }).click();
  await report(page)
    .getByRole('button', { name: /^Release .* now$/ })
    .click();
}

test('a stopped lab is shown after a reload, in another browser and on the wall screen, and released in the other browser', async ({
  page,
  demo,
  browser,
}) => {
  const started = await demo();
  const total = started.lab.nodes.length;
  await page.goto(started.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
  await press(page);
  const unconfirmed = started.lab.nodes
    .filter((node) => !node.commands().includes('safety_stop'))
    .map(({ name }) => name);
  await expect(banner(page)).toContainText(
    `${unconfirmed.length} of ${total} nodes not confirmed: ${unconfirmed.toSorted()[0]}`,
  );
  await page.keyboard.press('Escape');
  await expect(page.getByRole('banner')).toContainText('Stop not confirmed');
  await page.reload();
  await expect(banner(page)).toContainText('not confirmed');

  const otherBrowser = await (await browser.newContext()).newPage();
  const wall = await (await browser.newContext()).newPage();
  await Promise.all([otherBrowser.goto(new URL('resources', started.url).href), wall.goto(`${started.url}?kiosk`)]);
  await expect(banner(wall)).toContainText('not confirmed');
  await expect(banner(wall).getByRole('button')).toHaveCount(0);
  await expect(banner(otherBrowser)).toContainText('not confirmed');

  // The report opens again without sending anything, and it can release what the first browser has stopped.
  const requests: string[] = [];
  otherBrowser.on(
    'request',
    (request) => request.method() === 'POST' && requests.push(new URL(request.url()).pathname),
  );
  await banner(otherBrowser).getByRole('button', { name: texts.openReport }).click();
  await expect(report(otherBrowser).getByRole('row')).toHaveCount(total + 1);
  expect(requests.filter((path) => path.includes('admin'))).toEqual([]);
  await release(otherBrowser);
  await expect
    .poll(() =>
      started.lab.nodes.filter((node) => node.status().stopped || node.status().locked).map(({ name }) => name),
    )
    .toEqual([]);
  await expect(report(otherBrowser).getByRole('alert')).toContainText(`All ${total} nodes are released`);
  for (const openPage of [otherBrowser, page, wall]) await expect(banner(openPage)).toHaveCount(0);
});

test('an acknowledgement hides the stop, also after a reload, is recorded, and releases nothing', async ({
  page,
  demo,
}) => {
  const started = await demo();
  await page.goto(started.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
  await press(page);
  await waitUntilConfirmed(page, started);
  await expect.poll(() => listRecordedCommands(started)).toEqual([stopCommands.stop, stopCommands.result]);
  await page.keyboard.press('Escape');
  await banner(page).getByRole('button', { name: texts.acknowledge }).click();
  await expect(banner(page)).toHaveCount(0);
  await expect
    .poll(() => listRecordedCommands(started))
    .toEqual([stopCommands.stop, stopCommands.result, stopCommands.acknowledge]);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  expect(started.lab.nodes.filter((node) => node.status().stopped)).not.toEqual([]);

  // One click shows the recorded commands and who sent them.
  await page.goto(new URL('events', started.url).href);
  await page.getByRole('button', { name: eventsTexts.activity }).click();
  await expect(page.getByRole('row', { name: texts.what.acknowledge })).toBeVisible();
  const rowsWithoutSource = page.getByRole('grid').getByRole('row').filter({ hasNotText: commandSource });
  await expect(rowsWithoutSource).toHaveCount(1);
});

test('a stop is recorded once in the event log with the result of each node, even when the log was unavailable', async ({
  page,
  demo,
  guard,
}) => {
  guard.expected.push(/Failed to load resource|ERR_|CORS policy/);
  const started = await demo();
  await page.goto(started.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
  await started.lab.faults.setManager('event', { kind: 'down' });
  const pressedAt = Date.now();
  await press(page);
  await waitUntilConfirmed(page, started);
  const confirmedAt = Date.now();
  await expect(banner(page)).toContainText('not confirmed');
  // The record waits in the browser's storage and survives a reload.
  await page.reload();
  await expect(banner(page)).toContainText('not confirmed');
  await started.lab.faults.setManager('event', null);
  await expect.poll(() => listRecordedCommands(started)).toEqual([stopCommands.stop, stopCommands.result]);
  const [stop, ...results] = await readCommandRecords(started);
  const result = results.at(-1);
  const sentAt = Date.parse(stop?.record.sent_at ?? '');
  // The page's clock is corrected by up to a second.
  expect(sentAt).toBeGreaterThan(pressedAt - 2000);
  expect(sentAt).toBeLessThan(confirmedAt + 2000);
  expect(result?.record).toMatchObject({ stop_id: stop?.id, application: 'dashboard' });
  expect(result?.record.machine).toMatch(/\S/);
  expect(result?.record.nodes?.map(({ name }) => name).toSorted()).toEqual(
    started.lab.nodes.map(({ name }) => name).toSorted(),
  );
});

test('a safety stop that was pressed twice is released completely', async ({ page, demo }) => {
  const started = await demo();
  await page.goto(started.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
  await press(page);
  await waitUntilConfirmed(page, started);
  // Wait until the page shows that nodes are locked.
  await expect(report(page).getByRole('cell', { name: 'Locked', exact: false }).first()).toBeVisible();
  await press(page);
  await waitUntilConfirmed(page, started);
  await release(page);
  await expect
    .poll(() =>
      started.lab.nodes
        .filter((node) => node.status().stopped || node.status().locked || node.status().paused)
        .map(({ name }) => name),
    )
    .toEqual([]);
  await expect(report(page).getByRole('row').nth(1)).toContainText(texts.releasedLabel);
});
