/** Operates a lab of real managers and nodes from the dashboard: commands take effect, and changes are shown. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { safetyStopTexts } from '#api/safetyStop/safetyStopTexts.ts';
import { nodeNames, workcell } from '../behaviour/lab.ts';
import { pollUntil } from '../../support/pollUntil.ts';
import {
  waitUntilEnded,
  faulty,
  waitUntilOnNode,
  quick,
  resetNodes,
  slow,
  steady,
  submit,
  waitForWorkflow,
} from '../behaviour/workflows.ts';
import { button, confirmAction, heading, LabPages, outcomes, expectVisible } from './labPage.ts';
import { submitTexts } from '#dashboard/panels/workflows/submit/texts.ts';
import { workflowStateTexts } from '#dashboard/managers/workcell/workflowState.ts';
import { workflowsTexts } from '#dashboard/panels/workflows/texts.ts';
import { guardTexts } from '#dashboard/managers/guards/texts.ts';
import { workcellTexts } from '#dashboard/panels/workcells/texts.ts';

let pages: LabPages;
beforeAll(async () => {
  pages = await LabPages.start();
});
afterAll(() => pages.stop());
beforeEach(resetNodes);
afterEach(() => pages.close());

const readStatus = async (name: string) => (await workcell.getNode({ node_name: name })).status;

it('a workflow is submitted from a file with a value and a file and followed to its end', async () => {
  const page = await pages.open('workflows/submit');
  await page.getByLabel(submitTexts.open).setInputFiles({
    name: 'count.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(`name: Count a document
parameters:
  json_inputs:
    - key: pause
      description: How long it takes, in seconds
  file_inputs:
    - key: document
steps:
  - name: Take a while
    node: ${nodeNames.slow}
    action: slow
    use_parameters:
      args:
        seconds: pause
  - name: Count
    node: ${nodeNames.careful}
    action: count_bytes
    files:
      document: document
`),
  });
  await expectVisible(page.getByText(submitTexts.noProblems));
  const form = page.getByRole('region', { name: submitTexts.form });
  await form.getByLabel('pause', { exact: true }).fill('15');
  await form.getByLabel('document').setInputFiles({
    name: 'twelve.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('twelve bytes'),
  });
  await button(page, submitTexts.check).click();
  await expectVisible(page.getByText(submitTexts.summary.ok));
  await button(page, submitTexts.submit).click();
  await page.getByRole('link', { name: submitTexts.outcome.open }).click();
  await expectVisible(heading(page), 'Count a document');
  await expectVisible(page.getByText('Running step 1 of 2: Take a while'));
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await waitForWorkflow(id, ({ status }) => status.terminal, 40_000);
  await expectVisible(page.getByText(workflowStateTexts.completed, { exact: true }));
  const { steps, parameter_values: values } = await waitUntilEnded(id);
  expect(values).toMatchObject({ pause: 15 });
  expect(steps.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  await page.getByRole('button', { name: 'Count', exact: true }).click();
  await expectVisible(page.getByRole('tree'), 'count: 12');
});

it('the editor marks an unknown node with a suggestion, and suggests the actions of a node', async () => {
  const page = await pages.open('workflows/submit');
  const editor = page.getByRole('textbox', { name: submitTexts.editorLabel });
  await editor.fill('name: Wrong\nsteps:\n  - node: carefull\n    action: count_bytes\n');
  await expectVisible(
    page.getByRole('region', { name: 'Problems' }),
    /Line 3.*no node “carefull”. Did you mean “careful”\?/,
  );
  await editor.fill(`name: Offers\nsteps:\n  - node: ${nodeNames.careful}\n    action: `);
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+Space');
  const offers = page.getByRole('listbox').getByRole('option');
  await expectVisible(offers);
  expect((await offers.allTextContents()).map((text) => text.replace(nodeNames.careful, ''))).toEqual([
    'count_bytes',
    'make_files',
    'transfer',
    'use_location',
  ]);
});

it('a workflow is paused, resumed and cancelled as announced', async () => {
  const { workflow_id: id } = await submit([slow(60), quick()]);
  await waitUntilOnNode(id);
  const page = await pages.open(`workflows/${id}`);
  await confirmAction(
    page,
    workflowsTexts.actions.names.pause,
    `${nodeNames.slow} gets the pause command and holds step 1.`,
  );
  await expectVisible(outcomes(page), workflowsTexts.actions.paused);
  await expectVisible(page.getByText('Paused at step 1 of 2: slow'));
  expect((await workcell.getWorkflow({ workflow_id: id })).status.paused).toBe(true);
  await pollUntil(
    () => readStatus(nodeNames.slow),
    (status) => status?.paused === true,
  );

  await confirmAction(page, workflowsTexts.actions.names.resume, 'is started again from its beginning');
  await expectVisible(outcomes(page), 'Resumed: it is in the queue again.');
  await pollUntil(
    () => readStatus(nodeNames.slow),
    (status) => status?.paused === false && status.busy,
  );
  // The node still executes its action; the workflow waits for the node, to start the same action again.
  await expectVisible(page.getByText(`waiting for ${nodeNames.slow}, which is busy`));

  await confirmAction(page, workflowsTexts.actions.names.cancel, guardTexts.cancelLaterSteps(1));
  await expectVisible(outcomes(page), workflowsTexts.actions.cancelled);
  await expectVisible(page.getByText(workflowStateTexts.cancelled(1, 2)));
  expect((await waitUntilEnded(id)).status.cancelled).toBe(true);
});

it('a failed step shows the node’s own error and is retried', async () => {
  const { workflow_id: id } = await submit([quick(), faulty('fail')]);
  const page = await pages.open(`workflows/${id}`);
  pages.expectErrors(/"step_node":"faulty"/);
  await expectVisible(page.getByText('Failed at step 2 of 2: fail'));
  await expectVisible(page.getByText('out of tips'));
  await page.getByRole('button', { name: workflowsTexts.steps.retryHere }).click();
  const dialog = page.getByRole('alertdialog');
  await expectVisible(dialog, 'It starts again at step 2, fail');
  await dialog.getByRole('button', { name: 'Retry workflow' }).click();
  await expectVisible(outcomes(page), 'In the queue again.');
  const retried = await waitForWorkflow(id, ({ steps, status }) => status.terminal && steps[1]?.history?.length === 2);
  expect(retried.steps.map(({ history }) => history?.length)).toEqual([1, 2]);
  await expectVisible(page.getByText('2 attempts'));
  await expectVisible(page.getByText('Failed at step 2 of 2: fail'));
});

it('an action is sent from the page of a node, and its result is shown', async () => {
  const page = await pages.open(`workcells/nodes/${nodeNames.quick}`);
  await page.getByRole('button', { name: 'every_argument' }).click();
  const form = page.getByRole('form', { name: `Send every_argument to ${nodeNames.quick}` });
  await form.getByLabel('whole').fill('7');
  await form.getByLabel('text', { exact: true }).fill('from the page');
  await form.getByRole('button', { name: workcellTexts.send.send }).click();
  const sentActions = page.getByRole('region', { name: workcellTexts.send.sent });
  await expectVisible(sentActions, workflowStateTexts.completed);
  const result = sentActions.getByRole('tree', { name: 'json_result' });
  await expectVisible(result, 'whole: 7');
  await expectVisible(result, 'text: from the page');
});

it('a safety stop stops the nodes that support it and locks the others, and its release undoes exactly that', async () => {
  const stoppable = await submit([slow(60)]);
  const longRunning = await submit([steady(300), quick()]);
  await waitUntilOnNode(stoppable.workflow_id);
  await waitUntilOnNode(longRunning.workflow_id);
  // The commands of a node are known once the manager has read the node; other tests add nodes that never respond.
  const all = await pollUntil(
    () => workcell.getNodes(),
    (read) => Object.values(nodeNames).every((name) => read[name]?.info !== null),
  );
  const nodes = Object.values(all);
  const knownNodes = nodes.filter(({ info }) => info !== null);
  const withoutSafetyStop = knownNodes.filter(
    ({ info }) => !info?.capabilities?.admin_commands?.includes('safety_stop'),
  );
  const page = await pages.open('');
  // The storage entry exists before it contains any node.
  await page.waitForFunction((name) => localStorage.getItem('lab-manager.nodes')?.includes(name), nodeNames.slow);
  await expectVisible(page.getByText(safetyStopTexts.without(withoutSafetyStop.length, nodes.length)));
  await button(page, safetyStopTexts.button).click();
  const report = page.getByRole('region', { name: safetyStopTexts.title });
  const row = (name: string) => report.getByRole('row').filter({ hasText: name });
  await expectVisible(row(nodeNames.slow), 'Confirmed');
  await expectVisible(row(nodeNames.steady), 'locked and paused, which is not a safety stop');
  const simple = [nodeNames.quick, nodeNames.careful, nodeNames.faulty];
  for (const name of simple) await expectVisible(row(name), 'It was locked, which is not a safety stop');
  await expectVisible(report.getByRole('alert'), 'use the hardware emergency stop there');
  await expectVisible(row(nodeNames.slow), 'Stopped');
  for (const name of [nodeNames.steady, ...simple])
    await pollUntil(
      () => readStatus(name),
      (status) => status?.locked === true && status.paused === (name === nodeNames.steady),
    );

  // A node that refused the safety stop has nothing to release.
  await report.getByRole('button', { name: safetyStopTexts.release }).click();
  expect((await readStatus(nodeNames.slow))?.stopped).toBe(true);
  await report
    .getByRole('button', { name: safetyStopTexts.releaseConfirm(knownNodes.length - ('refusing' in all ? 1 : 0)) })
    .click();
  await pollUntil(
    () => readStatus(nodeNames.slow),
    (status) => status?.stopped === false && status.ready === true,
  );
  // The node that takes 3 s per command is released after it has executed the stop.
  if ('sluggish' in all) {
    await expectVisible(row('sluggish'), safetyStopTexts.releasedLabel);
    // It executes the lock of the page, if that was sent as well, after its release, which is then repeated.
    await pollUntil(
      () => readStatus('sluggish'),
      (status) => status?.locked === false,
    );
  }
  for (const name of [nodeNames.steady, ...simple])
    await pollUntil(
      () => readStatus(name),
      (status) => status?.locked === false && !status.paused,
    );
  // The stopped workflow does not continue; the paused one does.
  expect((await waitUntilEnded(stoppable.workflow_id)).status.completed).toBe(false);
  expect((await readStatus(nodeNames.steady))?.busy).toBe(true);
  expect((await workcell.getWorkflow({ workflow_id: longRunning.workflow_id })).status.running).toBe(true);
  // The next tests need the stop to have ended in the event log as well.
  await page.getByRole('region', { name: safetyStopTexts.banner }).waitFor({ state: 'hidden' });
});

it('a queued workflow can’t be paused or cancelled while its node works for another one', async () => {
  const victim = await submit([slow(300)], { definition: { name: 'Victim' } });
  await waitUntilOnNode(victim.workflow_id);
  const { workflow_id: id } = await submit([slow(0)], { definition: { name: 'Waits' } });
  const page = await pages.open(`workflows/${id}`);
  await expectVisible(heading(page), 'Waits');
  for (const action of ['Pause', 'Cancel']) {
    const refused = page.getByRole('button', { name: `${action}…` });
    await expect
      .poll(() => refused.getAttribute('title'))
      .toMatch(/slow.*working for “Victim”.*would be affected instead/);
    await refused.focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.getByText(`${action} is not available:`));
  }
  expect(await page.getByRole('alertdialog').count()).toBe(0);
  expect(pages.requests.filter((url) => /\/(pause|cancel)(\?|$)/.test(url))).toEqual([]);
  const { status } = await workcell.getWorkflow({ workflow_id: victim.workflow_id });
  expect(status).toMatchObject({ running: true, paused: false, cancelled: false });
  await workcell.cancelWorkflow({ workflow_id: victim.workflow_id });
});
