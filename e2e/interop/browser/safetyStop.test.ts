/**
 * The safety stop with real managers and nodes: a node that supports it, one that does not, one that refuses, and a
 * slow one.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { readRecordedCommand, stopCommands, type RecordedCommand } from '#api/commandRecord.ts';
import { safetyStopTexts as texts } from '#api/safetyStop/safetyStopTexts.ts';
import { events, nodeNames, workcell } from '../behaviour/lab.ts';
import { resetNodes, slow, submit } from '../behaviour/workflows.ts';
import { LabPages, expectVisible } from './labPage.ts';
import type { Page } from 'playwright';

let pages: LabPages;
beforeAll(async () => {
  pages = await LabPages.start();
});
afterAll(() => pages.stop());
beforeEach(resetNodes);
afterEach(async () => {
  await pages.close();
  await resetNodes();
});

const banner = (page: Page) => page.getByRole('region', { name: texts.banner });
const report = (page: Page) => page.getByRole('region', { name: texts.title });
const row = (page: Page, node: string) => report(page).getByRole('row').filter({ hasText: node });

async function safetyRecordsSince(since: number): Promise<RecordedCommand[]> {
  const all = Object.values(await events.getEvents({ number: 500 })).flatMap(
    (event) => readRecordedCommand(event) ?? [],
  );
  const recordedStops = all.filter(
    ({ record }) => Date.parse(record.sent_at) >= since && record.command.startsWith('safety'),
  );
  return recordedStops.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

const stoppedNodes = async () =>
  Object.entries(await workcell.getNodes()).flatMap(([name, { status }]) =>
    status?.locked === true || status?.stopped === true ? [name] : [],
  );

it('a safety stop is reported on every page with its unconfirmed nodes, recorded and released', async () => {
  // A slow node can still be executing a command of another test; a node locked before the stop stays locked.
  await expect.poll(stoppedNodes).toEqual([]);
  const since = Date.now();
  await submit([slow(60)]);
  await expect.poll(async () => (await workcell.getNode({ node_name: nodeNames.slow })).status?.busy).toBe(true);
  const page = await pages.open('');
  await expectVisible(page.getByRole('button', { name: texts.button, exact: true }));
  await page.getByRole('button', { name: texts.button, exact: true }).click();

  // The node with a safety stop confirms, `sluggish` is locked after 3 s, and `refusing` stays unlocked.
  await expectVisible(row(page, nodeNames.slow), 'Confirmed');
  await expectVisible(row(page, 'refusing'), 'the door is open');
  await expect.poll(async () => (await workcell.getNode({ node_name: 'sluggish' })).status?.locked).toBe(true);
  const { status: refusing } = await workcell.getNode({ node_name: 'refusing' });
  expect(refusing).toMatchObject({ locked: false, stopped: false });

  // Another page, on which nothing was pressed, shows the unconfirmed nodes.
  const { context, url } = await pages.profile();
  const otherPage = await context.newPage();
  await otherPage.goto(new URL('resources', url).href);
  await expectVisible(banner(otherPage), /not confirmed/);
  await banner(otherPage).getByRole('button', { name: texts.openReport }).click();
  await expectVisible(row(otherPage, 'refusing'), 'the door is open');
  await otherPage.close();

  await expect
    .poll(async () => (await safetyRecordsSince(since)).map(({ record }) => record.command))
    .toEqual(expect.arrayContaining([stopCommands.stop, stopCommands.result]));
  const results = (await safetyRecordsSince(since)).filter(({ record }) => record.command === stopCommands.result);
  const nodes = results.at(-1)?.record.nodes ?? [];
  expect(nodes.map(({ name }) => name)).toEqual(
    expect.arrayContaining([...new Set(Object.values(nodeNames)), 'refusing', 'sluggish']),
  );
  expect(nodes.find(({ name }) => name === 'refusing')?.result).not.toBe('confirmed');

  await report(page).getByRole('button', { name: texts.release }).click();
  await report(page)
    .getByRole('button', { name: /^Release .* now$/ })
    .click();
  await expect.poll(stoppedNodes).toEqual([]);
  await banner(page).waitFor({ state: 'hidden' });
  // The page hides its banner before the event manager has stored the record of the release.
  await expect.poll(async () => (await safetyRecordsSince(since)).at(-1)?.record.command).toBe(stopCommands.release);
});

it('a command from a page is recorded with its result as a node event of MADSci', async () => {
  const since = Date.now();
  const page = await pages.open(`workcells/nodes/${nodeNames.quick}`);
  await page.getByRole('button', { name: 'Lock', exact: true }).first().click();
  const dialog = page.getByRole('alertdialog');
  if (await dialog.isVisible()) await dialog.getByRole('button', { name: /Lock/ }).click();
  await expect.poll(async () => (await workcell.getNode({ node_name: nodeNames.quick })).status?.locked).toBe(true);
  const recorded = async () =>
    Object.values(await events.getEvents({ number: 200 })).flatMap((event) => {
      const record = readRecordedCommand(event);
      return record?.record.target.name === nodeNames.quick && Date.parse(record.record.sent_at) >= since
        ? [event]
        : [];
    });
  await expect.poll(async () => (await recorded()).length).toBeGreaterThan(0);
  const [event] = await recorded();
  expect(event).toMatchObject({
    event_type: 'node_status_update',
    event_data: { command: 'lock', result: 'done', application: 'dashboard', node_name: nodeNames.quick },
  });
  await workcell.sendCommand({ command: 'unlock', node: nodeNames.quick });
});
