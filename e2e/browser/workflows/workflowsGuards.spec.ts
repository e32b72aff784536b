/** The actions on a workflow, the ones refused as harmful, and the messages on failure. */
import type { Page } from 'playwright';
import type { Guard } from '../../support/browser/browserTest.ts';
import { expect, test } from '../../support/demoLab.ts';
import { delayResponses } from '../../support/browser/delayResponses.ts';
import {
  lockNode,
  unlockNode,
  waitForNode,
  waitUntilRunning,
  waitUntilEnded,
  testNode,
  failingStep,
  quickStep,
  slowStep,
  submit,
  waitStep,
  waitForWorkflow,
  workcellClient,
} from './workflowsLab.ts';
import { outcomeTexts } from '#dashboard/managers/commands/texts.ts';
import { guardTexts } from '#dashboard/managers/guards/texts.ts';
import { submitTexts } from '#dashboard/panels/workflows/submit/texts.ts';
import { workflowsTexts } from '#dashboard/panels/workflows/texts.ts';
import { workflowStateTexts } from '#dashboard/managers/workcell/workflowState.ts';
import { componentTexts } from '#dashboard/components/texts.ts';

const openPage = (page: Page, url: string, id: string) => page.goto(new URL(`workflows/${id}`, url).href);
const dialog = (page: Page) => page.getByRole('alertdialog');
const outcomes = (page: Page) => page.getByRole('complementary', { name: outcomeTexts.region });

/** Checks that the action is not available: pressing it shows the reason, opens no dialog, and sends nothing. */
async function expectRefused(
  page: Page,
  guard: Guard,
  action: 'Pause' | 'Resume' | 'Cancel' | 'Retry',
  reason: RegExp,
) {
  const button = page.getByRole('button', { name: `${action}…` });
  await expect(button).toHaveAccessibleDescription(reason);
  await expect(button).toHaveAttribute('title', reason);
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${action} is not available:`)).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  expect(guard.requests.filter((url) => /\/(pause|resume|cancel|retry|resubmit)(\?|$)/.test(url))).toEqual([]);
}

async function confirmAction(page: Page, action: string, verb: string) {
  await page.getByRole('button', { name: `${action}…` }).click();
  await dialog(page).getByRole('button', { name: verb }).click();
}

test('a workflow is paused, resumed and cancelled after its consequences are shown', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(lab, 'Growth assay', [slowStep(60), quickStep()]);
  await waitUntilRunning(lab, id);
  await openPage(page, url, id);
  await page.getByRole('button', { name: 'Pause…' }).click();
  await expect(dialog(page)).toContainText(`${testNode} gets the pause command and holds step 1.`);
  await expect(dialog(page)).toContainText('On resume, step 1 is started again from its beginning.');
  await dialog(page).getByRole('button', { name: guardTexts.pauseVerb }).click();
  await expect(outcomes(page)).toContainText(workflowsTexts.actions.paused);
  await expect(page.getByText('Paused at step 1 of 2: Incubate').first()).toBeVisible();
  expect((await workcellClient(lab).getWorkflow({ workflow_id: id })).status.paused).toBe(true);

  await resume(page, lab, id);
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await expect(dialog(page)).toContainText(guardTexts.cancelLaterSteps(1));
  await dialog(page).getByRole('button', { name: guardTexts.cancelVerb }).click();
  await expect(outcomes(page)).toContainText(workflowsTexts.actions.cancelled);
  expect((await waitUntilEnded(lab, id)).status.cancelled).toBe(true);
  await expect(page.getByText(workflowStateTexts.cancelled(1, 2)).first()).toBeVisible();
});

/** Resumes the workflow. Its node still has the action, and the dialog warns that it is started again from its beginning. */
async function resume(page: Page, lab: Parameters<typeof workcellClient>[0], id: string) {
  await page.getByRole('button', { name: 'Resume…' }).click();
  await expect(dialog(page)).toContainText('is started again from its beginning');
  await dialog(page).getByRole('button', { name: 'Resume workflow' }).click();
  await expect(outcomes(page)).toContainText('Resumed: it is in the queue again.');
  await waitForWorkflow(lab, id, ({ status }) => !status.paused);
  await expect(page.getByRole('button', { name: 'Pause…' })).toBeVisible();
}

test('a waiting workflow can’t be paused or cancelled while another one uses its node', async ({
  page,
  demo,
  guard,
}) => {
  const { lab, url } = await demo();
  const victim = await submit(lab, 'Victim', [slowStep(60)]);
  await waitUntilRunning(lab, victim.workflow_id);
  const { workflow_id: id } = await submit(lab, 'Waits', [slowStep(1)]);
  await openPage(page, url, id);
  const reason = new RegExp(`${testNode}.*working for “Victim”.*would be affected instead`);
  await expectRefused(page, guard, 'Pause', reason);
  await expectRefused(page, guard, 'Cancel', reason);
  const { status } = await workcellClient(lab).getWorkflow({ workflow_id: victim.workflow_id });
  expect(status).toMatchObject({ running: true, cancelled: false, paused: false });
});

test('a waiting workflow can’t be cancelled while its node works on a step of a paused workflow', async ({
  page,
  demo,
  guard,
}) => {
  const { lab, url } = await demo();
  // A plate reader can cancel but not pause: it continues the step of the paused workflow.
  const read = { name: 'Read', node: 'platereader_1', action: 'kinetic_read', args: { points: 120 } };
  const held = await submit(lab, 'Held', [read]);
  await waitUntilRunning(lab, held.workflow_id);
  await workcellClient(lab).pauseWorkflow({ workflow_id: held.workflow_id });
  const { workflow_id: id } = await submit(lab, 'Waits', [read]);
  await openPage(page, url, id);
  await expectRefused(page, guard, 'Cancel', /still busy with a step of the paused “Held”/);
});

test('a finished workflow can’t be paused or cancelled', async ({ page, demo, guard }) => {
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(lab, 'Done', [slowStep(0)]);
  await waitUntilEnded(lab, id);
  await openPage(page, url, id);
  await expectRefused(page, guard, 'Pause', new RegExp(`It has ended.*send the command to ${testNode}`));
  await expectRefused(page, guard, 'Cancel', /It has ended/);
});

test('no command is available at a built-in step, and no pause at the step before a built-in step', async ({
  page,
  demo,
  guard,
}) => {
  const { lab, url } = await demo();
  const waits = await submit(lab, 'Settles', [waitStep(60)]);
  await waitForWorkflow(lab, waits.workflow_id, ({ status }) => status.running);
  await openPage(page, url, waits.workflow_id);
  await expectRefused(page, guard, 'Pause', /workcell manager’s own \(wait\), which MADSci can’t pause/);
  await expectRefused(page, guard, 'Cancel', /workcell manager’s own \(wait\), which MADSci can’t cancel/);
  await expectRefused(page, guard, 'Retry', /It has not ended/);

  const previousWorkflow = await submit(lab, 'Before', [slowStep(60), waitStep(1)]);
  await waitUntilRunning(lab, previousWorkflow.workflow_id);
  await openPage(page, url, previousWorkflow.workflow_id);
  await expectRefused(page, guard, 'Pause', /Step 2, the next one, is the workcell manager’s own \(wait\)/);
});

test('a workflow can’t be cancelled while its node is unreachable', async ({ page, demo, guard }) => {
  const { lab, url } = await demo();
  await lab.faults.setNode(testNode, 'unreachable');
  await waitForNode(lab, testNode, ({ disconnected }) => disconnected === true);
  // A queued workflow waits for its node; a running one would fail after four checks in a row.
  const { workflow_id: id } = await submit(lab, 'Growth assay', [slowStep(60)]);
  await openPage(page, url, id);
  await expectRefused(page, guard, 'Cancel', new RegExp(`${testNode} can’t be reached`));
});

test('an open dialog follows its workflow, and can’t be confirmed after the workflow has ended', async ({
  page,
  demo,
  guard,
}) => {
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(lab, 'Short', [slowStep(60)]);
  await waitUntilRunning(lab, id);
  await openPage(page, url, id);
  await page.getByRole('button', { name: 'Pause…' }).click();
  await expect(dialog(page)).toBeVisible();
  await workcellClient(lab).cancelWorkflow({ workflow_id: id });
  await waitUntilEnded(lab, id);
  await expect(dialog(page)).toContainText(guardTexts.alreadyEnded);
  await expect(dialog(page).getByRole('button', { name: guardTexts.pauseVerb })).toBeDisabled();
  expect(guard.requests.some((address) => address.endsWith('/pause'))).toBe(false);
  await dialog(page).getByRole('button', { name: componentTexts.confirm.back }).click();
  await expect(dialog(page)).toHaveCount(0);
});

test('a confirmation checks the state again and is required again only when the impact is greater', async ({
  page,
  demo,
  guard,
}) => {
  const { lab, url } = await demo();
  await lockNode(lab, testNode);
  const { workflow_id: id } = await submit(lab, 'Growth assay', [slowStep(60), slowStep(60, 'Again')]);
  await openPage(page, url, id);
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await expect(dialog(page)).toContainText(guardTexts.cancelQueued(1));
  await unlockNode(lab, testNode);
  await waitUntilRunning(lab, id);
  await expect(dialog(page)).toContainText('ends its action of step 1');
  await dialog(page).getByRole('button', { name: guardTexts.cancelVerb }).click();
  await expect(dialog(page)).toContainText(
    'Not sent yet: the state has changed, and so has the effect. Check it again before you continue.',
  );
  expect(guard.requests.some((address) => address.endsWith('/cancel'))).toBe(false);
  await dialog(page).getByRole('button', { name: guardTexts.cancelVerb }).click();
  await expect(outcomes(page)).toContainText(workflowsTexts.actions.cancelled);
});

for (const [action, verb, message] of [
  [workflowsTexts.actions.names.pause, guardTexts.pauseVerb, workflowsTexts.actions.paused],
  [workflowsTexts.actions.names.cancel, guardTexts.cancelVerb, workflowsTexts.actions.cancelled],
] as const)
  test(`one press is enough to confirm ${action} for a workflow of short steps`, async ({ page, demo }) => {
    const { lab, url } = await demo();
    const steps = Array.from({ length: 300 }, (_, index) => slowStep(index % 2 === 0 ? 1 : 1.5));
    const { workflow_id: id } = await submit(lab, 'Many short steps', steps);
    await waitUntilRunning(lab, id);
    await openPage(page, url, id);
    // Between two steps the action is unavailable for a moment.
    await expect(async () => {
      await page.getByRole('button', { name: `${action}…` }).click();
      await expect(dialog(page)).toBeVisible({ timeout: 500 });
    }).toPass();
    const { status } = await workcellClient(lab).getWorkflow({ workflow_id: id });
    await waitForWorkflow(lab, id, (workflow) => workflow.status.current_step_index >= status.current_step_index + 3);
    // The dialog is live: it names a step that had not begun when it was opened.
    await expect(async () => {
      const text = (await dialog(page).textContent()) ?? '';
      expect(Number(/step (\d+)/i.exec(text)?.[1])).toBeGreaterThan(status.current_step_index + 2);
    }).toPass();
    await dialog(page).getByRole('button', { name: verb }).click();
    await expect(outcomes(page)).toContainText(message);
    await expect(dialog(page)).toHaveCount(0);
  });

test('a workflow is resubmitted with the same values, experiment and owner', async ({ page, demo, guard }) => {
  const { lab, url } = await demo();
  const ownership = { experiment_id: '01JEXPERXMENT0000000000001', user_id: '01JVSER0000000000000000001' };
  const { workflow_id: id } = await submit(
    lab,
    'Growth assay',
    [{ ...slowStep(0), use_parameters: { args: { seconds: 'time' } } }],
    { values: { time: 1 }, ownership },
    { parameters: { json_inputs: [{ key: 'time', default: 0 }] } },
  );
  await waitUntilEnded(lab, id);
  await openPage(page, url, id);
  await page.getByRole('button', { name: 'Submit again…' }).click();
  await expect(dialog(page)).toContainText(
    'It stays with the same experiment and owner (MADSci’s own resubmit would lose them).',
  );
  await dialog(page).getByRole('button', { name: 'Submit again' }).click();
  await expect(outcomes(page)).toContainText(/Submitted “.+” once more/);
  await outcomes(page).getByRole('link', { name: 'Open' }).click();
  await expect(page).not.toHaveURL(new RegExp(id));
  const resubmitted = await workcellClient(lab).getWorkflow({
    workflow_id: new URL(page.url()).pathname.split('/').at(-1) ?? '',
  });
  expect(resubmitted).toMatchObject({ name: 'Growth assay', parameter_values: { time: 1 }, ownership_info: ownership });
  expect(guard.requests.some((address) => address.endsWith('/resubmit'))).toBe(false);
});

test('a workflow with files is opened in the submit page instead of resubmitted', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(
    lab,
    'Counts',
    [{ name: 'count', node: testNode, action: 'count_bytes', files: { document: 'doc' } }],
    { files: { doc: new File(['1'], 'note.txt') } },
    { parameters: { file_inputs: [{ key: 'doc' }] } },
  );
  await waitUntilEnded(lab, id);
  await openPage(page, url, id);
  await page.getByRole('button', { name: 'Submit again…' }).click();
  await expect(dialog(page)).toContainText(
    'It needs doc: MADSci does not copy files, so select them again on the submit page.',
  );
  await dialog(page).getByRole('button', { name: 'Open on the submit page' }).click();
  await expect(page.getByText(submitTexts.fromWorkflow('Counts', false))).toBeVisible();
  await expect(page).toHaveURL(/workflows\/submit$/);
});

// Every other status has the same text (`OutcomeList.mounted.test.ts`).
test('the manager’s own message is shown as the result of a command', async ({ page, demo, guard }) => {
  guard.expected.push(/status of 409/);
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(lab, 'Growth assay', [slowStep(60)]);
  await waitUntilRunning(lab, id);
  await openPage(page, url, id);
  await page.route('**/pause', (route) =>
    route.fulfill({
      status: 409,
      headers: { 'access-control-allow-origin': '*' },
      json: { detail: 'Somebody was faster' },
    }),
  );
  await confirmAction(page, workflowsTexts.actions.names.pause, guardTexts.pauseVerb);
  await expect(outcomes(page)).toContainText('answered 409: Somebody was faster');
  await expect(page.getByText(/^Running step 1 of 1/).first()).toBeVisible();
});

test('the state after a command is shown when its response can’t be read', async ({ page, demo, guard }) => {
  guard.expected.push(/status of \d|CORS|ERR_FAILED/);
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(lab, 'Growth assay', [slowStep(60)]);
  await waitUntilRunning(lab, id);
  await openPage(page, url, id);
  // A bare 500 has no CORS headers.
  await page.route('**/pause', async (route) => {
    await lab.faults.setManager('workcell', { kind: 'error500' });
    await route.continue();
  });
  page.on('requestfailed', (request) => {
    if (request.url().endsWith('/pause')) void lab.faults.setManager('workcell', null);
  });
  await confirmAction(page, workflowsTexts.actions.names.pause, guardTexts.pauseVerb);
  await expect(outcomes(page)).toContainText('No readable answer: Workcell Manager is running, but the request failed');
  await expect(outcomes(page)).toContainText('Afterwards: “Running step 1 of 1”.');
});

test('a manager that fails during a command is reported', async ({ page, demo, guard }) => {
  guard.expected.push(/ERR_|Failed to load/);
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(lab, 'Growth assay', [slowStep(60)]);
  await waitUntilRunning(lab, id);
  await openPage(page, url, id);
  await page.route('**/pause', async (route) => {
    await lab.faults.setManager('workcell', { kind: 'down' });
    await route.continue();
  });
  await confirmAction(page, workflowsTexts.actions.names.pause, guardTexts.pauseVerb);
  await expect(outcomes(page)).toContainText('cannot be reached: no connection');
});

test('no command is sent when the state can’t be read again', async ({ page, demo, guard }) => {
  guard.expected.push(/status of \d|CORS|ERR_/);
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(lab, 'Growth assay', [slowStep(60)]);
  await waitUntilRunning(lab, id);
  await openPage(page, url, id);
  await page.getByRole('button', { name: 'Pause…' }).click();
  // Responses are held until the press: a page that has already read the failure disables its buttons.
  const { origin } = new URL(lab.context.workcell_server_url);
  const release = await delayResponses(page, (address) => address.origin === origin);
  // After the next request, no earlier one is pending.
  await page.waitForRequest((request) => new URL(request.url()).origin === origin);
  await lab.faults.setManager('workcell', { kind: 'error500' });
  await dialog(page).getByRole('button', { name: guardTexts.pauseVerb }).click();
  release();
  await expect(page.getByRole('alertdialog', { name: 'Could not check. Send anyway?' })).toBeVisible();
  expect(guard.requests.some((address) => address.endsWith('/pause'))).toBe(false);
});

test('a command to a slow manager is shown as pending', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(lab, 'Growth assay', [slowStep(60)]);
  await waitUntilRunning(lab, id);
  await openPage(page, url, id);
  const release = await delayResponses(page, '**/pause');
  await confirmAction(page, workflowsTexts.actions.names.pause, guardTexts.pauseVerb);
  await expect(outcomes(page)).toContainText(outcomeTexts.sending);
  release();
  await expect(outcomes(page)).toContainText(workflowsTexts.actions.paused);
});

test('the wall screen offers no workflow commands', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(lab, 'Shaker test', [failingStep]);
  await waitUntilEnded(lab, id);
  await page.goto(new URL(`workflows/${id}?kiosk`, url).href);
  await expect(page.getByText('out of tips').first()).toBeVisible();
  for (const name of ['Pause…', 'Cancel…', 'Retry…', 'Submit again…', workflowsTexts.steps.retryHere])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
});
