/** The Overview: which managers are not healthy, since when and why, and how it follows changes. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { managerKeys } from '../../api/managers.ts';
import { expect, test } from '../support/browser/browserTest.ts';
import { pickFreePort } from '../support/managers.ts';
import { overviewTexts } from '../../dashboard/panels/overview/texts.ts';
import { feedbackTexts } from '../../dashboard/components/texts.ts';
import { labBadgeTexts } from '../../dashboard/managers/lab/texts.ts';

const row = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
// During the transition the old text is still in the document, fading.
const chip = (page: Page) => page.getByRole('banner').locator('.identity .badge:not(.changed-leave-active)').first();

test('the Overview of a healthy lab states in one sentence that all managers are healthy, and lists them', async ({
  page,
  lab,
  service,
}) => {
  const { settings } = await lab();
  const { url } = await service({ files: { 'settings.yaml': `${settings}\nlab_manager_name: Bench 4\n` } });
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(overviewTexts.allHealthy(6));
  await expect(chip(page)).toHaveText('Managers 6/6');
  await expect(page).toHaveTitle('Healthy · Overview · Bench 4');
  await page.getByRole('button', { name: overviewTexts.showManagers }).click();
  await expect(page.getByRole('rowheader')).toHaveText([
    'Event',
    'Experiment',
    'Resource',
    'Data',
    'Workcell',
    'Location',
  ]);
  await expect(row(page, 'Event')).toContainText('0.8.1');
});

test('the Overview shows state and reason of each manager with a problem', async ({ page, lab, service }) => {
  const { settings, managers } = await lab({
    event: 'http-503',
    experiment: 'hang',
    data: 'unhealthy',
    workcell: 'slow',
  });
  await managers.resource.stop();
  const { url } = await service({ files: { 'settings.yaml': settings } });
  await page.goto(url);
  // The check times out after 5 s.
  await expect(row(page, 'Experiment')).toContainText('Unreachable');
  await expect(row(page, 'Experiment')).toContainText('timed out after 5 s');
  await expect(row(page, 'Event')).toContainText('Unhealthy');
  await expect(row(page, 'Event')).toContainText('HTTP 503');
  await expect(row(page, 'Resource')).toContainText(`connection refused (127.0.0.1:${managers.resource.port})`);
  await expect(row(page, 'Data')).toContainText('Data Manager lost its database');
  await expect(row(page, 'Workcell')).toContainText('Slow');
  await expect(row(page, 'Location')).toContainText('Healthy');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    /^4 of 6 managers aren’t healthy: Event unhealthy since [\d:]+, Experiment unreachable since [\d:]+, Resource unreachable since [\d:]+, Data unhealthy since [\d:]+\.$/,
  );
  await expect(chip(page)).toHaveText('Managers 2/6');
});

test('a manager that fails or recovers is shown within 6 s, even while another one hangs', async ({
  page,
  lab,
  service,
}) => {
  const { settings, managers } = await lab({ location: 'hang' });
  // The default interval of 5 s would use up nearly all of the time limit, so the test sets a shorter one.
  const { url } = await service({ files: { 'settings.yaml': `${settings}\nlab_watch_interval: 3\n` } });
  await page.goto(url);
  await expect(row(page, 'Data')).toContainText('Healthy');
  // The announcement of this first result would replace the one below.
  await expect(row(page, 'Location')).toContainText('Unreachable');
  await managers.data.stop();
  const follows = { intervals: [100] };
  const rowText = () => row(page, 'Data').textContent();
  await expect.poll(rowText, follows).toContain('Unreachable');
  // The manager ends between two checks or during one.
  await expect(page.getByRole('status')).toContainText(
    /Data Manager unreachable: (connection refused|the connection was closed)/,
  );
  await managers.data.start();
  await expect.poll(rowText, follows).toContain('Healthy');
});

test('the page reports that the service has stopped, and recovers when it starts again', async ({
  page,
  guard,
  lab,
  service,
}) => {
  guard.expected.push(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/);
  const { settings } = await lab();
  const port = await pickFreePort();
  const { url, manager } = await service({
    files: { 'settings.yaml': settings },
    env: { LAB_LISTEN_PORT: String(port) },
  });
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(overviewTexts.allHealthy(6));
  await manager.stop();
  await expect(page.getByText(/^Lab manager last seen .+: no connection\./)).toBeVisible();
  await expect(page.getByText(feedbackTexts.stale.lastKnown)).toBeVisible();
  await expect(chip(page)).toHaveText(labBadgeTexts.noAnswer);
  await manager.start();
  // The page retries with increasing delays.
  await expect(chip(page)).toHaveText('Managers 6/6');
  await expect(page.getByText(/^Lab manager last seen/)).toHaveCount(0);
});

test('texts from managers and settings are shown as plain text', async ({ page, service }) => {
  const evil = `<img src=x onerror="document.title='broken in'"><b>‮${'very long '.repeat(300)}`;
  const hostile = http.createServer((_request, response) =>
    response.end(JSON.stringify({ healthy: false, description: evil, version: '<i>1</i>' })),
  );
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = hostile.address() as AddressInfo;
    const others = managerKeys.filter((key) => key !== 'event').map((key) => `${key}_server_url: null`);
    const { url } = await service({
      files: {
        'settings.yaml': [
          `event_server_url: http://127.0.0.1:${port}/`,
          ...others,
          `lab_manager_name: "<script>document.title='broken in'</script>"`,
        ].join('\n'),
      },
    });
    await page.goto(url);
    await expect(row(page, 'Event')).toContainText('<img src=x onerror=');
    await expect(row(page, 'Event')).toContainText('<i>1</i>');
    await expect(page.getByRole('banner')).toContainText('<script>');
    await expect(page).toHaveTitle(/^1 needs you · /);
    await expect(page.locator('main img, main b, main i, main script')).toHaveCount(0);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(sideways).toBe(false);
  } finally {
    hostile.close();
    hostile.closeAllConnections();
  }
});

test('the Overview without configured managers explains how to set them up', async ({ page, service }) => {
  const { url } = await service({
    files: { 'settings.yaml': managerKeys.map((key) => `${key}_server_url: None\n`).join('') },
  });
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No manager is configured.');
  await expect(page.getByRole('heading', { name: 'Set up this lab' })).toBeVisible();
});
