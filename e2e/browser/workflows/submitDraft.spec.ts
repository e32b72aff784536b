/** What the submit page stores: drafts, templates, files, and the inputs of an earlier workflow. */
import { readFile } from 'node:fs/promises';
import { templateTexts } from '#dashboard/panels/resources/texts.ts';
import { expect, test } from '../../support/demoLab.ts';
import {
  button,
  countBytesDefinition,
  form,
  openSubmit,
  problems,
  waitDefinition,
  write,
  readDefinitionText,
  yamlFile,
} from './submitPage.ts';
import { waitUntilEnded, testNode, submit } from './workflowsLab.ts';
import { submitTexts } from '#dashboard/panels/workflows/submit/texts.ts';

test('the draft and its values survive a reload, but its files must be selected again', async ({ page, demo }) => {
  const { url } = await demo();
  await openSubmit(page, url);
  await write(page, countBytesDefinition);
  await form(page).getByLabel('pause', { exact: true }).fill('2.5');
  await form(page).getByLabel('document').setInputFiles(yamlFile('protocol.txt', 'twelve bytes'));
  await expect(form(page)).toContainText('protocol.txt');
  await openSubmit(page, url);
  await expect(page.getByText(/^Your draft from .* was restored. Select its files again\.$/)).toBeVisible();
  await expect.poll(() => readDefinitionText(page)).toBe(countBytesDefinition);
  await expect(form(page).getByLabel('pause', { exact: true })).toHaveValue('2.5');
  await expect(form(page)).not.toContainText('protocol.txt');
  await button(page, submitTexts.submit).click();
  await expect(page.getByText(submitTexts.cannotSubmit.form)).toBeVisible();
});

test('templates are saved in the browser and as files, imported, used and deleted', async ({ page, demo }) => {
  const { url } = await demo();
  await openSubmit(page, url);
  await write(page, waitDefinition);
  await button(page, templateTexts.fromResource).click();
  const dialog = page.getByRole('dialog', { name: 'Templates' });
  await expect(dialog.getByLabel('Name of the template')).toHaveValue('Wait for it');
  await button(page, submitTexts.template.store).click();
  await expect(dialog.getByRole('status')).toHaveText(submitTexts.template.stored('Wait for it'));
  await button(page, submitTexts.template.store).click();
  await expect(dialog.getByRole('status')).toHaveText(submitTexts.template.exists('Wait for it'));
  await button(page, 'Overwrite').click();
  await expect(dialog.getByRole('status')).toHaveText(submitTexts.template.stored('Wait for it'));

  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save as file: Wait for it' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('Wait-for-it.yaml');
  expect(await readFile(await download.path(), 'utf8')).toBe(waitDefinition);
  await dialog
    .getByLabel('Import files')
    .setInputFiles([yamlFile('Other.yaml', countBytesDefinition), yamlFile('Wait for it.yaml', 'name: no')]);
  await expect(dialog.getByRole('status')).toHaveText(
    `Imported Other. ${submitTexts.template.notImported('Wait for it.yaml', submitTexts.template.exists('Wait for it'))}`,
  );
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await write(page, 'name: Something else\nsteps: []\n');
  await openSubmit(page, url);
  const start = page.getByRole('menu', { name: submitTexts.startFrom });
  await button(page, 'Start from…').click();
  await start.getByRole('menuitem', { name: 'Other', exact: true }).click();
  await expect.poll(() => readDefinitionText(page)).toBe(countBytesDefinition);
  await button(page, 'Start from…').click();
  await start.getByRole('menuitem', { name: /^Transfer / }).click();
  await expect(form(page).getByLabel('from', { exact: true })).toBeVisible();

  await button(page, 'Start from…').click();
  await start.getByRole('menuitem', { name: 'Manage templates…' }).click();
  await dialog.getByRole('button', { name: 'Delete: Other' }).click();
  await dialog.getByRole('button', { name: 'Delete “Other”?' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Use: Wait for it' }).click();
  await expect.poll(() => readDefinitionText(page)).toBe(waitDefinition);
  await openSubmit(page, url);
  await button(page, 'Start from…').click();
  await expect(start.getByRole('menuitem', { name: 'Wait for it', exact: true })).toBeVisible();
  await expect(start.getByRole('menuitem', { name: 'Other', exact: true })).toHaveCount(0);
});

test('the definition is saved as a file with the name of the workflow', async ({ page, demo }) => {
  const { url } = await demo();
  await openSubmit(page, url);
  await write(page, waitDefinition);
  await expect(problems(page)).toContainText(submitTexts.noProblems);
  const saved = page.waitForEvent('download');
  await button(page, 'Save as file').click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('Wait-for-it.yaml');
  expect(await readFile(await download.path(), 'utf8')).toBe(waitDefinition);
});

test('a workflow resubmitted from an earlier one keeps values and owner, but its files must be selected again', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const ownership = { user_id: '01JAR5ZV1XJ6W3C1V5T0F2N8QY', experiment_id: '01JAR5ZV1XJ6W3C1V5T0F2N8QZ' };
  const { workflow_id: id } = await submit(
    lab,
    'Count a document',
    [
      {
        name: 'Count',
        node: testNode,
        action: 'count_bytes',
        files: { document: 'document' },
        use_parameters: { args: { unit: 'unit' } },
      },
    ],
    { values: { unit: 'letters' }, files: { document: new File(['twelve bytes'], 'first.txt') }, ownership },
    { parameters: { json_inputs: [{ key: 'unit', default: 'bytes' }], file_inputs: [{ key: 'document' }] } },
  );
  await waitUntilEnded(lab, id);
  await openSubmit(page, url, `?from=${id}`);
  await expect(page.getByText(submitTexts.fromWorkflow('Count a document', true))).toBeVisible();
  await expect.poll(() => readDefinitionText(page)).toContain('action: count_bytes');
  await expect(form(page).getByLabel('unit', { exact: true })).toHaveValue('letters');
  await expect(form(page)).toContainText('kept from that workflow: user …F2N8QY, experiment …F2N8QZ');
  await button(page, submitTexts.submit).click();
  await expect(page.getByText(submitTexts.cannotSubmit.form)).toBeVisible();
  await form(page).getByLabel('document').setInputFiles(yamlFile('second.txt', 'more than twelve bytes'));
  await button(page, submitTexts.submit).click();
  const link = page.getByRole('link', { name: submitTexts.outcome.open });
  const resubmittedId = (await link.getAttribute('href'))?.split('/').at(-1) ?? '';
  expect(resubmittedId).not.toBe(id);
  const { ownership_info: owner, parameter_values: values, steps } = await waitUntilEnded(lab, resubmittedId);
  expect(owner).toMatchObject(ownership);
  expect(values).toMatchObject({ unit: 'letters' });
  expect(steps[0]?.result?.status).toBe('succeeded');

  await openSubmit(page, url, '?from=01JNOBODYNOBODYNOBODYNOBOD');
  await expect(page.getByText(/^The workflow to start from could not be read\./)).toBeVisible();
});
