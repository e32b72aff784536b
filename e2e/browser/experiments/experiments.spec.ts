/** The Experiments panel on the demo lab: list, results, starting, changing, comparing. */
import type { Page } from 'playwright';
import { createClient } from '#api/client/client.ts';
import { experimentApi } from '#api/managers/experiment.ts';
import { experimentAppearances } from '#api/states.ts';
import { experimentId, experimentName } from '#dashboard/managers/experiment/experimentState.ts';
import { experimentTitles } from '#dashboard/panels/titles.ts';
import { experimentsTexts as texts } from '#dashboard/panels/experiments/texts.ts';
import type { DemoLab } from '#demo/lab/lab.ts';
import { violationsInBothThemes } from '../../support/browser/accessibility.ts';
import { outcomes } from '../../support/browser/workcellsPage.ts';
import { expect, test } from '../../support/demoLab.ts';

const experimentClient = ({ context }: DemoLab) =>
  createClient(experimentApi, { baseUrl: context.experiment_server_url ?? '', version: null });
const all = (lab: DemoLab) => experimentClient(lab).getExperiments({ number: 0 });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('the experiment page lists experiments one by one and by campaign', async ({ page, demo }) => {
  const { lab, url } = await demo({ past: true });
  const [newest] = await all(lab);
  if (newest === undefined) throw new Error('The demo lab has no experiments');
  await page.goto(`${url}experiments`);
  const grid = page.getByRole('grid', { name: texts.caption });
  const line = grid.getByRole('row').filter({ hasText: experimentName(newest) });
  await expect(line).toContainText(experimentAppearances.inProgress.label);
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'By campaign' }).click();
  const tree = page.getByRole('treegrid', { name: texts.caption });
  const campaign = tree.getByRole('row').filter({ hasText: /completed/ });
  await expect(campaign.first()).toContainText(/\d+ completed/);
  await expect(page).toHaveURL(/as=campaigns/);
  // A campaign links to its runs.
  await campaign.first().getByRole('link').first().click();
  await expect(grid.getByRole('row').filter({ hasText: experimentAppearances.completed.label })).not.toHaveCount(0);
  await expect(page).toHaveURL(/is\.campaign=/);
});

test('the page of an experiment shows its workflows, results and events', async ({ page, demo }) => {
  const { lab, url } = await demo({ past: true });
  const completed = (await all(lab)).find(({ status }) => status === 'completed');
  if (completed === undefined) throw new Error('The demo lab has no completed experiment');
  await page.goto(`${url}experiments/${experimentId(completed)}`);
  await expect(heading(page)).toHaveText(experimentName(completed));
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  const workflow = part('Workflows').getByRole('link').first();
  await expect(workflow).toBeVisible();
  await expect(part(texts.page.results).getByRole('table')).toBeVisible();
  await expect(
    part(texts.page.results).getByRole('img').or(part(texts.page.results).locator('canvas')).first(),
  ).toBeVisible();
  await expect(part(texts.page.time)).toBeVisible();
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  // A workflow links back to its experiment.
  await workflow.click();
  await expect(page).toHaveURL(/\/workflows\//);
  await page
    .getByRole('main')
    .getByRole('link', { name: experimentName(completed) })
    .click();
  await expect(heading(page)).toHaveText(experimentName(completed));
});

test('an experiment is started, its page opens the submit page, and it is paused, continued and ended @fast', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo({ past: true });
  await page.goto(`${url}experiments`);
  await page.getByRole('button', { name: texts.start }).click();
  const dialog = page.getByRole('dialog', { name: texts.starting.title });
  await dialog.getByRole('button', { name: texts.starting.start, exact: true }).click();
  await expect(dialog).toContainText('Enter a name.');
  await dialog.getByLabel(texts.starting.name, { exact: true }).fill('Salt series');
  await dialog.getByLabel('Name of this run').fill('Salt series run 1');
  await dialog.getByLabel(texts.starting.campaign).click();
  await page.getByRole('option').first().click();
  await dialog.getByRole('button', { name: texts.starting.start, exact: true }).click();
  await expect(heading(page)).toHaveText('Salt series · run 1');
  const startedExperiment = (await all(lab)).find(({ run_name: run }) => run === 'Salt series run 1');
  expect(startedExperiment?.ownership_info.campaign_id).toMatch(/^[0-9A-Z]{26}$/);
  const state = async () => (await all(lab)).find(({ run_name: run }) => run === 'Salt series run 1')?.status;

  await page.getByRole('link', { name: 'Submit a workflow' }).click();
  await expect(page.getByText('Owner')).toBeVisible();
  await page.goBack();

  const change = async (verb: keyof typeof texts.changes) => {
    await page.getByRole('button', { name: `${texts.changes[verb].verb}…` }).click();
    const confirmation = page.getByRole('alertdialog');
    await expect(confirmation).toContainText(texts.continues(0));
    await confirmation.getByRole('button', { name: texts.changes[verb].title }).click();
  };
  await change('pause');
  await expect.poll(state).toBe('paused');
  await expect(outcomes(page)).toContainText(experimentAppearances.paused.label);
  await change('continue');
  await expect.poll(state).toBe('in_progress');
  await change('end');
  await expect.poll(state).toBe('completed');
  // Changes that no longer apply are not offered.
  await expect(page.getByRole('button', { name: `${texts.changes.end.verb}…` })).toHaveCount(0);
});

test('experiments are compared, and the page of an unknown ID reports it as missing', async ({ page, demo }) => {
  const { url } = await demo({ past: true });
  await page.goto(`${url}experiments`);
  const boxes = page.getByRole('grid', { name: texts.caption }).getByRole('checkbox');
  await boxes.nth(1).check();
  await boxes.nth(2).check();
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await expect(heading(page)).toHaveText(experimentTitles.compare);
  const table = page.getByRole('table');
  await expect(table.getByRole('columnheader')).toHaveCount(3);
  await expect(table).toContainText(texts.comparing.duration);
  await expect(page.getByRole('region', { name: texts.comparing.plot }).locator('canvas').first()).toBeVisible();
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  await table.getByRole('row').filter({ hasText: 'growth_curve' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/\/data\/[0-9A-Z]{26}$/);
  await page.goto(`${url}experiments/01ABSENT000000000000000000`);
  await expect(page.getByText('No experiment 01ABSENT000000000000000000')).toBeVisible();
});
