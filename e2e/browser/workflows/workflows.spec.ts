/** Workflows: the list with the reasons for waiting and the archive, and the page of one workflow. */
import { componentTexts } from '#dashboard/components/texts.ts';
import { violationsInBothThemes } from '../../support/browser/accessibility.ts';
import { expect, test } from '../../support/demoLab.ts';
import {
  lockNode,
  waitUntilRunning,
  dataClient,
  waitUntilEnded,
  testNode,
  failingStep,
  quickStep,
  slowStep,
  submit,
  unlockNode,
  waitStep,
  waitForWorkflow,
  workcellClient,
} from './workflowsLab.ts';
import { archiveTexts } from '#dashboard/managers/workcell/archive/archive.ts';
import { workflowsTexts } from '#dashboard/panels/workflows/texts.ts';
import { dataTexts } from '#dashboard/managers/data/texts.ts';

/** A PNG of one pixel. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const named = (name: string | RegExp) => ({ name });

test('the workflow list shows running and waiting workflows and their reasons', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const first = await submit(lab, 'Growth assay, plate 14', [slowStep(60), quickStep()]);
  await waitUntilRunning(lab, first.workflow_id);
  await submit(lab, 'Growth assay, plate 15', [slowStep(1)]);
  await lockNode(lab, 'liquidhandler_1');
  await submit(lab, 'Wash', [quickStep()]);

  await page.goto(new URL('workflows', url).href);
  const running = page.getByRole('row', named(/plate 14 Running step 1 of 2/));
  await expect(running.getByRole('link', { name: testNode })).toBeVisible();
  const waiting = page.getByRole('row', named(/^Growth assay, plate 15 Queued/));
  await expect(waiting).toContainText(`waiting for ${testNode}, busy with Growth assay, plate 14`);
  const stuck = page.getByRole('row', named(/^Wash Queued/));
  await expect(stuck).toContainText('liquidhandler_1 locked');
  await expect(page.getByText('1 running, 2 queued')).toBeVisible();
  await expect(page.getByText(workflowsTexts.list.need(1))).toBeVisible();
  // The order of execution: running workflows first, then the queue.
  await expect(page.getByRole('row').nth(1)).toContainText('plate 14');
  await expect(page.getByRole('row').nth(2)).toContainText('plate 15');

  await waiting.getByRole('link', { name: 'Growth assay, plate 14' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Growth assay, plate 14');
});

test('the workflow list keeps its filters in the address', async ({ page, demo }) => {
  const { lab, url } = await demo({ past: true });
  const failed = await submit(lab, 'Shaker test', [failingStep]);
  await waitUntilEnded(lab, failed.workflow_id);
  await page.goto(new URL('workflows', url).href);
  await expect(page.getByRole('row', named(/^Shaker test Failed/))).toBeVisible();

  await page.getByRole('button', { name: 'State: all' }).click();
  await page.getByRole('checkbox', { name: /Failed/ }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').first().fill('shaker');
  await expect(page).toHaveURL(/q=shaker/);
  await expect(page).toHaveURL(/is\.state=Failed/);
  await page.reload();
  await expect(page.getByRole('row', named(/^Shaker test Failed/))).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(2);

  await page.getByRole('button', { name: workflowsTexts.list.node('all') }).click();
  await page.getByRole('checkbox', { name: /robotarm_1/ }).check();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/node=robotarm_1/);
  await expect(page.getByText('Nothing matches.')).toBeVisible();
  await page.getByRole('searchbox').first().fill('');
  await expect(page.getByRole('row', named(/Shaker test/))).toHaveCount(0);
});

test('the archive search shows how far it searched, and continues when a button is pressed', async ({ page, demo }) => {
  const { lab, url } = await demo({ past: true });
  lab.managers.workcell.scale.addWorkflows([...lab.managers.workcell.store.definitions.values()], 300);
  const all = Object.keys(await workcellClient(lab).getArchivedWorkflows({ number: 0 })).length;
  await page.goto(new URL('workflows', url).href);
  const scope = page.getByText(/searched/);
  await expect(scope).toContainText(`${archiveTexts.newest(50)}${archiveTexts.leadsOn}`);
  const table = page.getByRole('grid');
  await expect(table).toHaveAttribute('aria-rowcount', '51');
  await page.getByRole('button', { name: archiveTexts.load(200) }).click();
  await expect(scope).toContainText(`${archiveTexts.newest(200)}${archiveTexts.leadsOn}`);
  await expect(page).toHaveURL(/archive=200/);
  await expect(table).toHaveAttribute('aria-rowcount', '201');
  await page.getByRole('button', { name: archiveTexts.all }).click();
  await expect(scope).toHaveText(`searched all ${all.toLocaleString('en-US')} archived`);
  await expect(table).toHaveAttribute('aria-rowcount', String(all + 1));
  await page.reload();
  await expect(scope).toHaveText(`searched all ${all.toLocaleString('en-US')} archived`);
});

test('an empty workflow list shows that it is empty and links to the submit page', async ({ page, demo }) => {
  const { url } = await demo();
  await page.goto(new URL('workflows', url).href);
  await expect(page.getByText(workflowsTexts.list.idle)).toBeVisible();
  await expect(page.getByText(archiveTexts.whole(0))).toBeVisible();
  await expect(page.getByText(workflowsTexts.list.none)).toBeVisible();
  await page.getByRole('link', { name: workflowsTexts.submit }).first().click();
  await expect(page).toHaveURL(/workflows\/submit$/);
});

test('a workflow stays in the list when it ends', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await page.goto(new URL('workflows', url).href);
  await expect(page.getByText(workflowsTexts.list.idle)).toBeVisible();
  // The locked node holds the workflow until the page has shown it.
  await lockNode(lab, testNode);
  await submit(lab, 'Short one', [slowStep(1)]);
  await expect(page.getByRole('row', named(/^Short one Queued/))).toBeVisible();
  await unlockNode(lab, testNode);
  // The archive is read every 30 s; a workflow that just ended is shown at once.
  await expect(page.getByRole('row', named(/^Short one Completed/))).toBeVisible();
});

test('a workflow opens next to the list with its own address', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const failed = await submit(lab, 'Shaker test', [quickStep('Prime'), failingStep, slowStep(1)]);
  await waitUntilEnded(lab, failed.workflow_id);
  await page.goto(new URL('workflows', url).href);
  await page.getByRole('link', { name: 'Shaker test' }).click();
  const side = page.getByRole('complementary', { name: 'Shaker test' });
  await expect(side).toContainText('Failed at step 2 of 3: Shake');
  await expect(side).toContainText('out of tips');
  await expect(side).toContainText('Not reached');
  await expect(page).toHaveURL(new RegExp(`open=${failed.workflow_id}`));
  await page.reload();
  await expect(side).toContainText('out of tips');
  await page.keyboard.press('Escape');
  await expect(side).toHaveCount(0);
  await page.getByRole('link', { name: 'Shaker test' }).click();
  // The history entry is added once the panel is open.
  await expect(side).toContainText('out of tips');
  await page.goBack();
  await expect(side).toHaveCount(0);
  await page.goForward();
  await side.getByRole('link', { name: workflowsTexts.page.openFull }).click();
  await expect(page).toHaveURL(new RegExp(`workflows/${failed.workflow_id}$`));
});

test('the page of a running workflow shows its lanes, steps and times and follows their changes', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  // A locked node holds its step back until the page has shown the state before it.
  await lockNode(lab, 'liquidhandler_1');
  await lockNode(lab, testNode);
  const steps = [quickStep(), waitStep(1), slowStep(12)];
  const { workflow_id: id } = await submit(lab, 'Growth assay', steps, {}, { definition_metadata: { author: 'Ada' } });
  await page.goto(new URL(`workflows/${id}`, url).href);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Growth assay');
  await expect(page.getByText('by Ada')).toBeVisible();
  const axis = page.getByRole('region', { name: workflowsTexts.page.time });
  for (const lane of ['liquidhandler_1', testNode, 'workcell'])
    await expect(axis.getByText(lane).first()).toBeVisible();
  const table = page.getByRole('table', { name: 'Steps' });
  await expect(table.getByRole('row', named(/3 Incubate Waits for step/))).toBeVisible();
  await unlockNode(lab, 'liquidhandler_1');
  const wait = axis.getByRole('button', { name: workflowsTexts.page.waitsFor('Incubate') });
  await expect(wait).toBeVisible();
  await unlockNode(lab, testNode);
  await expect(page.getByText(/^Running step 3 of 3: Incubate$/)).toBeVisible();
  await expect(axis.getByRole('button', { name: /Incubate.*Running/ })).toBeVisible();
  await expect(axis.getByRole('button', { name: /Dispense.*Completed/ })).toBeVisible();
  await expect(wait).toBeVisible();
  await expect(page.getByText(/^took /).first()).toBeVisible();
  await expect(table.getByRole('row', named(/1 Dispense Completed liquidhandler_1 run_command/))).toBeVisible();

  await axis.getByRole('button', { name: /Incubate.*Completed/ }).click();
  await expect(table.getByText('seconds')).toBeVisible();
  await page.getByRole('tab', { name: workflowsTexts.page.raw }).click();
  await expect(page.getByRole('tree')).toContainText('workflow_definition_id');
  await expect(page).toHaveURL(/tab=raw/);
});

test('a failed step shows the node’s error, and the workflow can be retried from that step', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(lab, 'Shaker test', [quickStep('Prime'), failingStep]);
  await waitUntilEnded(lab, id);
  await page.goto(new URL(`workflows/${id}`, url).href);
  await expect(page.getByText('Failed at step 2 of 2: Shake')).toBeVisible();
  await expect(page.getByText('out of tips')).toHaveCount(1);
  await expect(page.getByRole('row', named(/2 Shake Failed/))).toBeVisible();
  await page.getByRole('button', { name: workflowsTexts.steps.retryHere }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('It starts again at step 2, Shake, with the same values and files.');
  await dialog.getByRole('button', { name: 'Retry workflow' }).click();
  await expect(page.getByText('In the queue again.').first()).toBeVisible();
  await expect(page.getByText('2 attempts')).toBeVisible();
  expect((await workcellClient(lab).getWorkflow({ workflow_id: id })).steps[0]?.history).toHaveLength(2);
});

test('datapoints are shown as plot, table and tree, and files are saved under their names', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const read = {
    name: 'Read the curve',
    node: 'platereader_1',
    action: 'kinetic_read',
    data_labels: { json_result: 'growth_curve' },
    use_parameters: { args: { points: 'points' } },
  };
  const { workflow_id: id } = await submit(
    lab,
    'Growth curve',
    [read],
    { values: { points: 4 } },
    { parameters: { json_inputs: [{ key: 'points', description: 'Readings', default: 40 }] } },
  );
  await waitUntilEnded(lab, id);
  await page.goto(new URL(`workflows/${id}`, url).href);
  await page.getByRole('button', { name: 'Read the curve', exact: true }).click();
  await expect(page.getByRole('group', { name: /growth_curve: 4 values from/ })).toBeVisible();
  await expect(page.getByText(/4 values, mean/)).toBeVisible();
  await page.getByRole('group', { name: /growth_curve: 4 values from/ }).focus();
  const point = page.getByRole('status').filter({ hasText: /^\d+: / });
  await page.keyboard.press('End');
  await expect(point).toHaveText(/^4: /);
  await page.keyboard.press('ArrowLeft');
  await expect(point).toHaveText(/^3: /);
  await page.keyboard.press('+');
  await page.getByRole('button', { name: componentTexts.plot.showAll }).click();
  await expect(page.getByRole('button', { name: componentTexts.plot.showAll })).toBeHidden();
  const presentations = page.getByRole('group', { name: dataTexts.viewAs('growth_curve') });
  await presentations.getByRole('button', { name: dataTexts.table, exact: true }).click();
  await expect(page.getByRole('region', { name: 'growth_curve' }).getByRole('row')).toHaveCount(5);
  await page.getByRole('button', { name: dataTexts.tree, exact: true }).click();
  await expect(page.getByRole('tree').getByRole('treeitem')).toHaveCount(5);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: dataTexts.download('curve.csv') }).click();
  expect((await download).suggestedFilename()).toBe('curve.csv');
  // Its series is a plot from the start.
  await page.getByRole('button', { name: dataTexts.table, exact: true }).last().click();
  await expect(
    page.getByRole('region', { name: 'curve.csv' }).getByRole('cell', { name: /^0\./ }).first(),
  ).toBeVisible();

  await page.getByRole('tab', { name: workflowsTexts.page.inputs }).click();
  await expect(page.getByRole('tabpanel')).toContainText('given at the start');
});

test('an image from a step is shown', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(lab, 'Picture', [{ name: 'Files', node: testNode, action: 'make_files' }]);
  await waitUntilEnded(lab, id);
  const { archived } = lab.managers.workcell.store;
  await expect.poll(() => archived.has(id)).toBe(true);
  const { _id: gel } = await dataClient(lab).addDatapoint({
    body: { datapoint: { label: 'gel', data_type: 'file', path: 'gel.png' } },
    files: { 'gel.png': new Blob([Buffer.from(onePixel, 'base64')], { type: 'image/png' }) },
  });
  // No node of the demo lab has a camera: the test adds an image to the step's result.
  const result = archived.get(id)?.steps[0]?.result;
  if (!result) throw new Error('The step has no result');
  result.datapoints = { gel };
  await page.goto(new URL(`workflows/${id}`, url).href);
  await page.getByRole('button', { name: 'Files', exact: true }).click();
  const picture = page.getByRole('img', { name: 'gel.png' });
  await expect(picture).toBeVisible();
  // An image that is still loading has a box, for its name.
  await expect.poll(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1);
});

test('a missing datapoint and a missing workflow are reported', async ({ page, demo, guard }) => {
  guard.expected.push(/status of 404/);
  const { lab, url } = await demo();
  const step = { name: 'Files', node: testNode, action: 'make_files' };
  const { workflow_id: id } = await submit(lab, 'Makes files', [step]);
  const { steps } = await waitUntilEnded(lab, id);
  const deletedDatapoint = Object.values(steps[0]?.result?.datapoints ?? {})[0];
  await page.route(`**/datapoint/${String(deletedDatapoint)}`, (route) =>
    route.fulfill({
      status: 404,
      headers: { 'access-control-allow-origin': '*' },
      json: { message: `Datapoint with id ${String(deletedDatapoint)} not found.` },
    }),
  );
  await page.goto(new URL(`workflows/${id}`, url).href);
  await page.getByRole('button', { name: 'Files', exact: true }).click();
  await expect(page.getByText(`The data manager has no datapoint ${String(deletedDatapoint)}.`)).toBeVisible();

  await page.goto(new URL('workflows/01JNOBODYNOBODYNOBODYNOBOD', url).href);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(workflowsTexts.page.notFoundTitle);
  await expect(page.getByText('when the workcell manager restarts')).toBeVisible();
  await page.getByRole('link', { name: workflowsTexts.page.toList }).click();
  await expect(page.getByText(workflowsTexts.list.idle)).toBeVisible();
});

test('a workflow without steps is shown, and a step with a state of a later MADSci is shown as unknown', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const empty = await submit(lab, 'Empty', []);
  await waitUntilEnded(lab, empty.workflow_id);
  await page.goto(new URL(`workflows/${empty.workflow_id}`, url).href);
  await expect(page.getByText(workflowsTexts.page.noSteps)).toBeVisible();

  const strange = await submit(lab, 'Strange', [slowStep(0)]);
  const body = await waitUntilEnded(lab, strange.workflow_id);
  // The page shows what the list of active workflows contains, as long as it contains it.
  await expect
    .poll(async () => Object.keys(await workcellClient(lab).getActiveWorkflows()))
    .not.toContain(strange.workflow_id);
  const step = { ...body.steps[0], status: 'levitating', result: { action_id: 'A', status: 'dreaming', extra: 1 } };
  await page.route(`**/workflow/${strange.workflow_id}`, (route) =>
    route.fulfill({ headers: { 'access-control-allow-origin': '*' }, json: { ...body, steps: [step], mood: 'calm' } }),
  );
  await page.goto(new URL(`workflows/${strange.workflow_id}`, url).href);
  await expect(page.getByRole('row', named(/1 Incubate Unknown/))).toBeVisible();
});

test('the workflow page reports an unavailable manager and recovers by itself', async ({ page, demo, guard }) => {
  // The page retries with increasing delays.
  guard.expected.push(/ERR_|CORS|Failed to load/);
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(lab, 'Growth assay', [slowStep(60)]);
  await waitUntilRunning(lab, id);
  await page.goto(new URL(`workflows/${id}`, url).href);
  await expect(page.getByText(/^Running step 1 of 1/)).toBeVisible();
  await lab.faults.setManager('workcell', { kind: 'down' });
  await expect(page.getByText(/Workcell Manager last seen .*no connection/)).toBeVisible();
  await page.getByRole('button', { name: 'Pause…' }).click({ force: true });
  await expect(page.getByText(workflowsTexts.actions.stale).last()).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await lab.faults.setManager('workcell', null);
  await expect(page.getByText(/last seen/)).toHaveCount(0);
  await waitForWorkflow(lab, id, ({ status }) => status.running);
});

test('the workflow page reports that the scheduler has failed', async ({ page, demo }) => {
  const { lab, url } = await demo();
  lab.faults.setWorkcell('errored');
  await page.goto(new URL('workflows', url).href);
  await expect(page.getByText(workflowsTexts.engine.title)).toBeVisible();
});

for (const width of [1440, 420]) {
  test(`the workflow pages pass axe at ${width} px`, async ({ page, demo }) => {
    // axe takes at least a second in each of six runs.
    const { lab, url } = await demo({ past: true });
    const failed = await submit(lab, 'Shaker test', [quickStep('Prime'), failingStep, waitStep(1)]);
    await waitUntilEnded(lab, failed.workflow_id);
    await submit(lab, 'Growth assay', [slowStep(60)]);
    await submit(lab, 'Waits', [slowStep(60)]);
    await page.setViewportSize({ width, height: width === 420 ? 800 : 900 });
    const checkPage = async (viewName: string) =>
      expect.soft(await violationsInBothThemes(page, ['target-size']), viewName).toEqual([]);

    await page.goto(new URL('workflows', url).href);
    await expect(page.getByText('1 running, 1 queued')).toBeVisible();
    await checkPage('the list');
    await page.goto(new URL(`workflows?open=${failed.workflow_id}`, url).href);
    await expect(page.getByRole('complementary', { name: 'Shaker test' })).toContainText('out of tips');
    await checkPage('beside the list');
    await page.goto(new URL(`workflows/${failed.workflow_id}`, url).href);
    await expect(page.getByRole('button', { name: workflowsTexts.steps.retryHere })).toBeVisible();
    await checkPage('the page');
    if (width === 420) await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Retry…' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await checkPage('the question');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    for (const tab of [workflowsTexts.page.inputs, workflowsTexts.page.raw]) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(page.getByRole('tabpanel')).not.toBeEmpty();
      await checkPage(tab);
    }
  });
}
