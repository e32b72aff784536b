/** The Lab panel: addresses and where they are usable, settings and their origin. */
import type { Page } from 'playwright';
import { expect, test } from '../support/browser/browserTest.ts';
import { findOutsideAddress } from '../support/service.ts';
import { labTexts } from '../../dashboard/panels/lab/texts.ts';
import { overviewTexts } from '../../dashboard/panels/overview/texts.ts';
import { eventTitles, overviewTitle } from '../../dashboard/panels/titles.ts';

const table = (page: Page, name: string) => page.getByRole('table', { name });

test('the Lab page marks addresses that other machines can’t use, suggests a setting and shows which addresses respond', async ({
  page,
  guard,
  lab,
  service,
}) => {
  guard.hosts.add('lab-pc');
  const { settings } = await lab();
  const { url } = await service({
    files: {
      'settings.yaml': settings,
      'lab.settings.yaml': 'event_server_url: http://lab-pc:8001/\ndata_server_url: null\n',
    },
  });
  await page.goto(`${url}lab`);
  const addresses = table(page, labTexts.addresses);
  await expect(addresses.getByRole('row', { name: /Event Manager/ })).toContainText('Usable');
  await expect(addresses.getByRole('row', { name: /Data Manager/ })).toContainText('switched off');
  await expect(addresses.getByRole('row', { name: /Resource Manager/ })).toContainText('Localhost only');
  await expect(addresses.getByRole('row', { name: /Resource Manager/ })).toContainText('set RESOURCE_SERVER_URL');
  await expect(page.getByText('Set LAB_ADVERTISED_HOST to this machine’s name (or')).toBeVisible();
  await expect(addresses.getByRole('row', { name: /Resource Manager/ })).toContainText('Answers');
  await expect(addresses.getByRole('row', { name: /Event Manager/ })).toContainText(labTexts.noAnswer);
});

test('the chosen density applies at once, and the chosen start page opens first, but not on a reload', async ({
  page,
  service,
}) => {
  const { url } = await service({});
  await page.goto(`${url}lab`);
  const display = page.getByRole('region', { name: 'Display' });
  const height = () => page.getByRole('table', { name: labTexts.settings }).getByRole('row').nth(1).boundingBox();
  const heightBefore = await height();
  await display.getByRole('button', { name: labTexts.densities.compact }).click();
  expect((await height())?.height).toBeLessThan(heightBefore?.height ?? 0);
  await display.getByLabel('Start page').selectOption(eventTitles.panel);
  const next = await page.context().newPage();
  await next.goto(url);
  await expect(next).toHaveURL(/\/events$/);
  await next.getByRole('link', { name: overviewTitle }).click();
  await expect(next).toHaveURL(url);
  // A reload does not redirect to the start page.
  await next.reload();
  await expect(next.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(next).toHaveURL(url);
});

test('a page opened from this machine’s network address replaces localhost by it and explains that', async ({
  page,
  guard,
  lab,
  service,
}) => {
  const host = findOutsideAddress();
  test.skip(host === null, 'this machine has no address but loopback');
  guard.hosts.add(host ?? '');
  const { settings, managers } = await lab();
  const { port } = await service({ files: { 'settings.yaml': settings } });
  await page.goto(`http://${host}:${port}/lab`);
  await expect(page.getByText(`This page came from ${host}, so localhost in the addresses is replaced`)).toBeVisible();
  await expect(table(page, labTexts.addresses).getByRole('row', { name: /Event Manager/ })).toContainText(
    `http://${host}:${managers.event.port}/`,
  );
  await page.getByRole('link', { name: overviewTitle }).click();
  await page.getByRole('button', { name: overviewTexts.showManagers }).click();
  await expect(page.getByText(`are shown with ${host}, the host this page came from`)).toBeVisible();
});

test('the Lab page lists the effective settings with their sources and searches them by any word @fast', async ({
  page,
  service,
}) => {
  const { url } = await service({
    files: { 'lab.settings.yaml': '# names\nlab_manager_name: Bench 4\nlab_watch_interval: 3600\n' },
    env: { LAB_LOG_LEVEL: 'warning' },
    argv: ['--lab-verbose'],
  });
  await page.goto(`${url}lab`);
  const settings = table(page, labTexts.settings);
  const source = (name: string) => settings.getByRole('row', { name: new RegExp(`^${name} `) });
  await expect(settings.getByRole('rowheader')).toHaveText([
    'manager_name',
    'watch_interval',
    'mdns',
    'listen_port',
    'verbose',
    'log_level',
  ]);
  await page.getByLabel('Only changed settings').uncheck();
  await expect(source('manager_name')).toContainText('lab.settings.yaml, line 2: lab_manager_name');
  await expect(source('log_level')).toContainText('environment: LAB_LOG_LEVEL');
  await expect(source('verbose')).toContainText('command line: --lab-verbose');
  await expect(source('server_url')).toContainText('default');
  await page.getByLabel('Only changed settings').check();
  await page.getByLabel(labTexts.search).fill('server_url');
  await expect(source('server_url')).toBeVisible();
  await page.getByLabel(labTexts.search).fill('line 3');
  await expect(settings.getByRole('rowheader')).toHaveText(['watch_interval']);
  await page.getByLabel(labTexts.search).fill('no such thing');
  await expect(page.getByText('No setting matches.')).toBeVisible();
});

test('a setting that changes in its file is shown without a reload', async ({ page, lab, service }) => {
  const { settings } = await lab();
  const running = await service({ files: { 'settings.yaml': settings } });
  await page.goto(running.url);
  await expect(page.getByRole('banner')).toContainText('Managers 6/6');
  await running.write({ 'lab.settings.yaml': 'lab_manager_name: Renamed\nlocation_server_url: null\n' });
  await expect(page.getByRole('banner')).toContainText('Renamed');
  await expect(page.getByRole('banner')).toContainText('Managers 5/5');
});

test('the licences of the bundled packages can be read', async ({ page, service }) => {
  const { url } = await service();
  await page.goto(`${url}lab`);
  await page.getByRole('button', { name: 'Show licences' }).click();
  await page.getByText(/^@vue\/runtime-core 3/).click();
  await expect(page.locator('details[open] pre')).toContainText('Permission is hereby granted');
});
