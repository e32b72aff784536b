/** Failures while submitting: the message, that no input is lost, and that nothing is sent twice. */
import type { Page } from 'playwright';
import type { ManagerFault } from '#demo/lab/faults.ts';
import { expect, test, type Demo } from '../../support/demoLab.ts';
import { delayResponses } from '../../support/browser/delayResponses.ts';
import {
  countSubmissions,
  button,
  checkRegion,
  openSubmit,
  waitDefinition,
  write,
  readDefinitionText,
} from './submitPage.ts';
import { workcellClient } from './workflowsLab.ts';
import { submitTexts } from '#dashboard/panels/workflows/submit/texts.ts';

const outcome = (page: Page) => page.getByRole('status').filter({ hasText: 'Your text is unchanged.' });
const paths = { definition: '/workflow_definition', start: '/workflow' } as const;

/** Sets the fault of the workcell manager when the page sends this request: after the check. */
async function failAt(page: Page, { lab }: Demo, which: keyof typeof paths, fault: ManagerFault): Promise<void> {
  await page.route(
    (url) => url.origin === new URL(lab.context.workcell_server_url).origin && url.pathname === paths[which],
    async (route) => {
      await lab.faults.setManager('workcell', fault);
      await route.continue();
    },
    { times: 1 },
  );
}
const repair = ({ lab }: Demo) => lab.faults.setManager('workcell', null);
const countActive = async ({ lab }: Demo) => Object.keys(await workcellClient(lab).getActiveWorkflows()).length;

async function openSubmitPage(page: Page, started: Demo) {
  const submissions = countSubmissions(page, started.lab);
  await openSubmit(page, started.url);
  await write(page, waitDefinition);
  return submissions;
}
async function pressSubmit(page: Page): Promise<void> {
  await button(page, submitTexts.submit).click();
  await expect(page.getByText(submitTexts.outcome.done('Wait for it'))).toBeVisible();
}

test('a failed check blocks the submission until the user overrides it, and the manager’s reason is shown', async ({
  page,
  demo,
}) => {
  const started = await demo();
  const submissions = await openSubmitPage(page, started);
  await write(page, 'name: Read\nsteps:\n  - {name: Read, node: platereader_1, action: read_well}\n');
  await button(page, submitTexts.submit).click();
  const stopped = page
    .getByRole('status')
    .filter({ hasText: 'Not sent: the check found problems. Fix them, or submit anyway.' });
  await expect(stopped).toContainText('Line 3: read_well needs the argument “well” (str).');
  expect(submissions.definitions()).toBe(0);
  await stopped.getByRole('button', { name: 'Submit anyway' }).click();
  await expect(outcome(page)).toContainText(
    submitTexts.outcome.refusedStart("Step 'Read': Node platereader_1's action, 'read_well', is missing arg 'well'"),
  );
  expect([submissions.definitions(), submissions.starts(), await countActive(started)]).toEqual([1, 1, 0]);
  // After the correction it is accepted.
  await write(page, waitDefinition);
  await expect(outcome(page)).toHaveCount(0);
  await pressSubmit(page);
});

test('a definition that the manager refuses is not started, and its reason is shown', async ({ page, demo }) => {
  const started = await demo();
  const submissions = await openSubmitPage(page, started);
  await page.route(
    (url) => url.pathname === paths.definition,
    (route) =>
      route.fulfill({
        status: 422,
        headers: { 'access-control-allow-origin': '*' },
        json: { detail: [{ type: 'missing', loc: ['body', 'steps', 0, 'key'], msg: 'Field required' }] },
      }),
    { times: 1 },
  );
  await button(page, submitTexts.submit).click();
  await expect(outcome(page)).toContainText(/The manager refuses this definition: .*steps.*Field required/);
  expect(submissions.starts()).toBe(0);
  await expect.poll(() => readDefinitionText(page)).toBe(waitDefinition);
  await pressSubmit(page);
});

for (const which of ['definition', 'start'] as const) {
  test(`nothing starts when the manager limits requests at the ${which}, and the workflow can be submitted again`, async ({
    page,
    demo,
  }) => {
    const started = await demo();
    const submissions = await openSubmitPage(page, started);
    await failAt(page, started, which, { kind: 'limit429' });
    await button(page, submitTexts.submit).click();
    await expect(outcome(page)).toContainText(/^The manager is busy: too many requests\..* Nothing was started\./);
    expect(submissions.starts()).toBe(which === 'start' ? 1 : 0);
    await repair(started);
    expect(await countActive(started)).toBe(0);
    await pressSubmit(page);
  });
}

test('a start whose response CORS hides is reported as possibly started and not sent twice', async ({ page, demo }) => {
  const started = await demo();
  const submissions = await openSubmitPage(page, started);
  await failAt(page, started, 'start', { kind: 'withoutCors' });
  await button(page, submitTexts.submit).click();
  await expect(outcome(page)).toContainText('It may have been started: look in the list of active workflows');
  await expect(button(page, submitTexts.submit)).toBeDisabled();
  await expect(button(page, submitTexts.submit)).toHaveAttribute(
    'title',
    'It may have been started already: check the active workflows first.',
  );
  await repair(started);
  // Neither a check nor further editing changes that.
  await button(page, submitTexts.check).click();
  await expect(checkRegion(page).getByRole('status')).toHaveText(submitTexts.summary.ok);
  await expect(button(page, submitTexts.submit)).toBeDisabled();
  await write(page, waitDefinition.replace('Wait for it', 'Renamed'));
  await expect(button(page, submitTexts.submit)).toBeDisabled();
  await page.getByRole('link', { name: 'List of active workflows' }).click();
  await expect(page.getByRole('link', { name: 'Wait for it' }).first()).toBeVisible();
  expect(submissions.starts()).toBe(1);
});

test('nothing starts when CORS hides the response to the definition, and the workflow can be submitted again', async ({
  page,
  demo,
}) => {
  const started = await demo();
  const submissions = await openSubmitPage(page, started);
  await failAt(page, started, 'definition', { kind: 'withoutCors' });
  await button(page, submitTexts.submit).click();
  await expect(outcome(page)).toContainText('Nothing was started yet: you can submit again.');
  expect(submissions.starts()).toBe(0);
  await repair(started);
  await pressSubmit(page);
  expect([submissions.definitions(), submissions.starts()]).toEqual([2, 1]);
});

test('a manager that fails at the start is reported as a possible start, and the workflow can be submitted again', async ({
  page,
  demo,
}) => {
  const started = await demo();
  const submissions = await openSubmitPage(page, started);
  await failAt(page, started, 'start', { kind: 'down' });
  await button(page, submitTexts.submit).click();
  await expect(outcome(page)).toContainText('It may have been started: look in the list of active workflows');
  await expect(button(page, submitTexts.submit)).toBeDisabled();
  expect([submissions.definitions(), submissions.starts()]).toEqual([1, 1]);
  await repair(started);
  expect(await countActive(started)).toBe(0);
  await button(page, 'It was not started: unlock the form').click();
  await pressSubmit(page);
  expect([submissions.definitions(), submissions.starts()]).toEqual([2, 2]);
});

test('a manager that fails without a message at the start is reported as a possible start', async ({ page, demo }) => {
  const started = await demo();
  const submissions = await openSubmitPage(page, started);
  await failAt(page, started, 'start', { kind: 'error500' });
  await button(page, submitTexts.submit).click();
  await expect(outcome(page)).toContainText('It may have been started');
  expect(submissions.starts()).toBe(1);
});

test('the check reports a manager that is down, and nothing is sent', async ({ page, demo }) => {
  const started = await demo();
  const submissions = await openSubmitPage(page, started);
  await started.lab.faults.setManager('workcell', { kind: 'down' });
  await button(page, submitTexts.submit).click();
  await expect(
    page.getByRole('status').filter({ hasText: 'Not sent: the check found problems. Fix them, or submit anyway.' }),
  ).toContainText('Managers: Workcell manager does not answer');
  await expect(checkRegion(page)).toContainText('Workcell manager does not answer');
  expect(submissions.definitions()).toBe(0);
  await repair(started);
  await pressSubmit(page);
});

test('a submission to a slow manager is shown as pending and sent once', async ({ page, demo }) => {
  const started = await demo();
  const submissions = await openSubmitPage(page, started);
  const release = await delayResponses(
    page,
    (url) => url.origin === new URL(started.lab.context.workcell_server_url).origin && url.pathname === paths.start,
  );
  await button(page, submitTexts.submit).click();
  const sending = button(page, 'Sending…');
  await expect(sending).toBeDisabled();
  await sending.click({ force: true });
  release();
  await expect(page.getByText(submitTexts.outcome.done('Wait for it'))).toBeVisible();
  expect([submissions.definitions(), submissions.starts()]).toEqual([1, 1]);
});
