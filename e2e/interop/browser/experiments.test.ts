/**
 * Experiments with real managers: an experiment is started, gets a workflow, shows its results, and is ended.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { experimentAppearances } from '#api/states.ts';
import { experimentsTexts as texts } from '#dashboard/panels/experiments/texts.ts';
import { submitTexts } from '#dashboard/panels/workflows/submit/texts.ts';
import { experiments, uniqueName, nodeNames, workcell } from '../behaviour/lab.ts';
import { waitUntilEnded, resetNodes } from '../behaviour/workflows.ts';
import { button, heading, LabPages, outcomes, expectVisible } from './labPage.ts';

let pages: LabPages;
beforeAll(async () => {
  pages = await LabPages.start();
});
afterAll(() => pages.stop());
beforeEach(resetNodes);
afterEach(() => pages.close());

it('an experiment is started, a workflow is submitted from its page, its results are shown, and it is ended', async () => {
  const run = uniqueName('Run');
  const page = await pages.open('experiments');
  // An empty list has a second button to start an experiment.
  await button(page, texts.start).first().click();
  const dialog = page.getByRole('dialog', { name: texts.starting.title });
  await dialog.getByLabel(texts.starting.name, { exact: true }).fill('Salt series');
  await dialog.getByLabel('Name of this run').fill(run);
  await dialog.getByRole('button', { name: texts.starting.start, exact: true }).click();
  await expectVisible(heading(page), run);
  const address = page.url();
  const id = new URL(address).pathname.split('/').at(-1) ?? '';

  await page.getByRole('link', { name: 'Submit a workflow' }).click();
  await page.getByLabel(submitTexts.open).setInputFiles({
    name: 'files.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(
      `name: Make files\nsteps:\n  - name: Make\n    node: ${nodeNames.careful}\n    action: make_files\n`,
    ),
  });
  await expectVisible(page.getByText(submitTexts.noProblems));
  await button(page, submitTexts.check).click();
  await expectVisible(page.getByText(submitTexts.summary.ok));
  await button(page, submitTexts.submit).click();
  await page.getByRole('link', { name: submitTexts.outcome.open }).click();
  await expectVisible(heading(page), 'Make files');
  const workflow = await waitUntilEnded(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  expect(workflow.ownership_info.experiment_id).toBe(id);

  await page.goto(address);
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  await expectVisible(part('Workflows').getByRole('link'), 'Make files');
  await expectVisible(part(texts.page.results).getByRole('table'));
  await button(page, `${texts.changes.end.verb}…`).click();
  const confirmation = page.getByRole('alertdialog');
  await expectVisible(confirmation, texts.continues(0));
  await confirmation.getByRole('button', { name: texts.changes.end.title }).click();
  await expectVisible(outcomes(page), experimentAppearances.completed.label);
  const experiment = await experiments.getExperiment({ experiment_id: id });
  expect(experiment).toMatchObject({ status: 'completed', run_name: run });
  expect(experiment.ended_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:/);
  expect(Object.keys(await workcell.getActiveWorkflows())).not.toContain(workflow.workflow_id);
});
