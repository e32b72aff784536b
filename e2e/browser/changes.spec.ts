/** The tabs of a browser that reaches the managers through the lab manager share its stream of changes. */
import type { Page, Request } from 'playwright/test';
import { changesPath } from '../../api/lab/changes.ts';
import { card } from '../support/browser/workcellsPage.ts';
import { expect, test } from '../support/demoLab.ts';

const arm = 'robotarm_1';
const hasPath = (path: string) => (request: Request) => new URL(request.url()).pathname === path;

test('tabs share one stream of changes instead of polling, and another tab opens one when the tab with the stream is closed', async ({
  context,
  demo,
}) => {
  const { lab, url } = await demo({}, { LAB_REMOTE_ACCESS: 'view' });
  const requests: Request[] = [];
  context.on('request', (request) => requests.push(request));
  const count = (path: string, since = 0) => requests.slice(since).filter(hasPath(path)).length;
  await context.addInitScript(() => {
    // An empty page has no storage.
    if (location.protocol === 'http:') localStorage.setItem('lab-manager.route', 'relay');
  });
  const tabs: Page[] = [await context.newPage(), await context.newPage()];
  for (const tab of tabs) {
    await tab.goto(`${url}workcells`);
    await expect(card(tab, arm)).toContainText('Ready');
  }
  await expect.poll(() => count(changesPath)).toBe(1);

  // Each page reads the lab's state at least every 5 s, so this is three intervals of the workcell's state or more.
  const since = requests.length;
  await expect.poll(() => count('/lab_health/history', since)).toBeGreaterThanOrEqual(16);
  // Polling would read the workcell's state more often than the lab's; a stall of the machine costs a read of each tab.
  const labReads = count('/lab_health/history', since);
  expect(count('/managers/workcell/state', since)).toBeLessThan(labReads / 2);

  await lab.faults.setNode(arm, 'errored');
  for (const tab of tabs) await expect(card(tab, arm)).toContainText('motor stalled');
  expect(count(changesPath)).toBe(1);

  const streamTab = requests.find(hasPath(changesPath))?.frame().page();
  await streamTab?.close();
  await expect.poll(() => count(changesPath)).toBe(2);
  const [otherTab, ...surplusTabs] = tabs.filter((tab) => tab !== streamTab);
  expect(surplusTabs).toEqual([]);
  await lab.faults.setNode(arm, null);
  if (otherTab !== undefined) await expect(card(otherTab, arm)).toContainText('Ready');
});
