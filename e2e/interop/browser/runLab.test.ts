/** A lab of real managers and nodes is run from the dashboard: what is done there happens, and what happens is shown. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { safetyStopTexts } from '../../../dashboard/managers/safetyStop/texts.ts';
import { nodeNames, until, workcell } from '../behaviour/lab.ts';
import { ended, faulty, onNode, quick, settle, slow, steady, submit, when } from '../behaviour/workflows.ts';
import { button, doIt, heading, LabPages, outcomes, seen } from './labPage.ts';

let pages: LabPages;
beforeAll(async () => {
  pages = await LabPages.start();
});
afterAll(() => pages.stop());
beforeEach(settle);
afterEach(() => pages.close());

const statusOf = async (name: string) => (await workcell.getNode({ node_name: name })).status;

it('submits a workflow from its file, with a value and a file, and shows it to its end', async () => {
  const page = await pages.open('workflows/submit');
  await page.getByLabel('Open a file').setInputFiles({
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
  await seen(page.getByText('No problems found.'));
  const form = page.getByRole('region', { name: 'Parameters and files' });
  await form.getByLabel('pause', { exact: true }).fill('6');
  await form.getByLabel('document').setInputFiles({
    name: 'twelve.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('twelve bytes'),
  });
  await button(page, 'Check').click();
  await seen(page.getByText('Ready to submit.'));
  await button(page, 'Submit').click();
  await page.getByRole('link', { name: 'Open the workflow' }).click();
  await seen(heading(page), 'Count a document');
  await seen(page.getByText('Running step 1 of 2: Take a while'));
  await seen(page.getByText('Completed', { exact: true }));
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const { steps, parameter_values: values } = await ended(id);
  expect(values).toMatchObject({ pause: 6 });
  expect(steps.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  await page.getByRole('button', { name: 'Count', exact: true }).click();
  await seen(page.getByRole('tree'), 'count: 12');
});

it('offers the nodes and actions of the lab while a definition is written, and marks what isn’t there', async () => {
  const page = await pages.open('workflows/submit');
  const editor = page.getByRole('textbox', { name: 'Workflow definition in YAML' });
  await editor.fill('name: Wrong\nsteps:\n  - node: carefull\n    action: count_bytes\n');
  await seen(page.getByRole('region', { name: 'Problems' }), /Line 3.*no node “carefull”. Did you mean “careful”\?/);
  await editor.fill(`name: Offers\nsteps:\n  - node: ${nodeNames.careful}\n    action: `);
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+Space');
  const offers = page.getByRole('listbox').getByRole('option');
  await seen(offers);
  expect((await offers.allTextContents()).map((text) => text.replace(nodeNames.careful, ''))).toEqual([
    'count_bytes',
    'make_files',
    'transfer',
    'use_location',
  ]);
});

it('pauses, resumes and cancels a workflow, as was said beforehand', async () => {
  const { workflow_id: id } = await submit([slow(60), quick()]);
  await onNode(id);
  const page = await pages.open(`workflows/${id}`);
  await doIt(page, 'Pause', `${nodeNames.slow} gets the pause command and holds step 1.`);
  await seen(outcomes(page), 'Paused.');
  await seen(page.getByText('Paused at step 1 of 2: slow'));
  expect((await workcell.getWorkflow({ workflow_id: id })).status.paused).toBe(true);
  await until(
    () => statusOf(nodeNames.slow),
    (status) => status?.paused === true,
  );

  await doIt(page, 'Resume', 'is started again from its beginning');
  await seen(outcomes(page), 'Resumed: it is in the queue again.');
  await until(
    () => statusOf(nodeNames.slow),
    (status) => status?.paused === false && status.busy,
  );
  // The node still does what it held; the workflow waits for it, to have the same done again.
  await seen(page.getByText(`waits for ${nodeNames.slow}, which is busy`));

  await doIt(page, 'Cancel', 'One later step will be skipped.');
  await seen(outcomes(page), 'Cancelled.');
  await seen(page.getByText('Cancelled at step 1 of 2'));
  expect((await ended(id)).status.cancelled).toBe(true);
});

it('says why a step failed in the node’s own words, and tries again from it', async () => {
  const { workflow_id: id } = await submit([quick(), faulty('fail')]);
  const page = await pages.open(`workflows/${id}`);
  await seen(page.getByText('Failed at step 2 of 2: fail'));
  await seen(page.getByText('out of tips'));
  await page.getByRole('button', { name: 'Retry from here' }).click();
  const dialog = page.getByRole('alertdialog');
  await seen(dialog, 'It starts again at step 2, fail');
  await dialog.getByRole('button', { name: 'Retry workflow' }).click();
  await seen(outcomes(page), 'In the queue again.');
  const again = await when(id, ({ steps, status }) => status.terminal && steps[1]?.history?.length === 2);
  expect(again.steps.map(({ history }) => history?.length)).toEqual([1, 2]);
  await seen(page.getByText('2 attempts'));
  await seen(page.getByText('Failed at step 2 of 2: fail'));
});

it('sends an action from the page of a node, and shows its result', async () => {
  const page = await pages.open(`workcells/nodes/${nodeNames.quick}`);
  await page.getByRole('button', { name: 'every_argument' }).click();
  const form = page.getByRole('form', { name: `Send every_argument to ${nodeNames.quick}` });
  await form.getByLabel('whole').fill('7');
  await form.getByLabel('text', { exact: true }).fill('from the page');
  await form.getByRole('button', { name: 'Send action' }).click();
  const sent = page.getByRole('region', { name: 'Sent from this page' });
  await seen(sent, 'Completed');
  const result = sent.getByRole('tree', { name: 'json_result' });
  await seen(result, 'whole: 7');
  await seen(result, 'text: from the page');
});

it('stops every node at once, holds those without a safety stop, and releases exactly that', async () => {
  const stoppable = await submit([slow(60)]);
  const held = await submit([steady(60), quick()]);
  await onNode(stoppable.workflow_id);
  await onNode(held.workflow_id);
  // What the nodes can be told is known once the manager has heard each of them; other tests add some that never answer.
  const nodes = Object.values(
    await until(
      () => workcell.getNodes(),
      (all) => Object.values(nodeNames).every((name) => all[name]?.info !== null),
    ),
  );
  const heard = nodes.filter(({ info }) => info !== null);
  const without = heard.filter(({ info }) => !info?.capabilities?.admin_commands?.includes('safety_stop'));
  const page = await pages.open('');
  // The entry is there before any node is in it.
  await page.waitForFunction((name) => localStorage.getItem('lab-manager.nodes')?.includes(name), nodeNames.slow);
  await seen(page.getByText(safetyStopTexts.without(without.length, nodes.length)));
  await button(page, 'Safety stop').click();
  const report = page.getByRole('region', { name: 'Safety stop' });
  const row = (name: string) => report.getByRole('row').filter({ hasText: name });
  await seen(row(nodeNames.slow), 'Confirmed');
  await seen(row(nodeNames.steady), 'locked and paused, which is not a safety stop');
  const simple = [nodeNames.quick, nodeNames.careful, nodeNames.faulty];
  for (const name of simple) await seen(row(name), 'It was locked, which is not a safety stop');
  await seen(report.getByRole('alert'), 'use the hardware emergency stop there');
  await seen(row(nodeNames.slow), 'Stopped');
  for (const name of [nodeNames.steady, ...simple])
    await until(
      () => statusOf(name),
      (status) => status?.locked === true && status.paused === (name === nodeNames.steady),
    );

  await report.getByRole('button', { name: 'Release…' }).click();
  expect((await statusOf(nodeNames.slow))?.stopped).toBe(true);
  await report.getByRole('button', { name: safetyStopTexts.releaseSure(heard.length) }).click();
  await until(
    () => statusOf(nodeNames.slow),
    (status) => status?.stopped === false && status.ready === true,
  );
  for (const name of [nodeNames.steady, ...simple])
    await until(
      () => statusOf(name),
      (status) => status?.locked === false && !status.paused,
    );
  // What was stopped doesn't go on; what was paused does.
  expect((await ended(stoppable.workflow_id)).status.completed).toBe(false);
  expect((await statusOf(nodeNames.steady))?.busy).toBe(true);
  expect((await workcell.getWorkflow({ workflow_id: held.workflow_id })).status.running).toBe(true);
});

it('does not let a queued workflow be paused or cancelled while its node works for another one', async () => {
  const victim = await submit([slow(60)], { definition: { name: 'Victim' } });
  await onNode(victim.workflow_id);
  const { workflow_id: id } = await submit([slow(0)], { definition: { name: 'Waits' } });
  const page = await pages.open(`workflows/${id}`);
  await seen(heading(page), 'Waits');
  for (const action of ['Pause', 'Cancel']) {
    const refused = page.getByRole('button', { name: `${action}…` });
    await expect
      .poll(() => refused.getAttribute('title'), { timeout: 20_000 })
      .toMatch(/slow.*working for “Victim”.*would be hit instead/);
    await refused.focus();
    await page.keyboard.press('Enter');
    await seen(page.getByText(`${action} is not offered:`));
  }
  expect(await page.getByRole('alertdialog').count()).toBe(0);
  expect(pages.requests.filter((url) => /\/(pause|cancel)(\?|$)/.test(url))).toEqual([]);
  const { status } = await workcell.getWorkflow({ workflow_id: victim.workflow_id });
  expect(status).toMatchObject({ running: true, paused: false, cancelled: false });
});
