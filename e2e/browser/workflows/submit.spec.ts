/** Submitting a workflow: from a file or in the editor, with the lab's suggestions and its parameters. */
import { expect, test } from '../../support/demoLab.ts';
import {
  countSubmissions,
  button,
  checkRegion,
  countBytesDefinition,
  editor,
  form,
  findMiddle,
  suggestions,
  openSubmit,
  problems,
  acceptSuggestion,
  waitDefinition,
  write,
  readDefinitionText,
  yamlFile,
} from './submitPage.ts';
import { waitUntilEnded, testNode, slowStep, submit, workcellClient } from './workflowsLab.ts';
import { submitTexts } from '#dashboard/panels/workflows/submit/texts.ts';
import { definitionTexts } from '#dashboard/panels/workflows/definition/texts.ts';
import { workflowStateTexts } from '#dashboard/managers/workcell/workflowState.ts';
import { schemaFormTexts } from '#dashboard/components/form/texts.ts';
import { workflowsTexts } from '#dashboard/panels/workflows/texts.ts';

test('a definition file is opened, checked against the lab and submitted, and its workflow is shown @fast', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const submissions = countSubmissions(page, lab);
  await openSubmit(page, url);
  await page.getByLabel(submitTexts.open).setInputFiles(yamlFile('wait.yaml', waitDefinition));
  await expect(page.getByText('wait.yaml is open.')).toBeVisible();
  await expect(problems(page)).toContainText(submitTexts.noProblems);
  await expect(form(page)).toContainText('This definition has no parameters.');

  await button(page, submitTexts.check).click();
  await expect(checkRegion(page).getByRole('status')).toHaveText(submitTexts.summary.ok);
  await checkRegion(page).getByText('Managers').click();
  await expect(checkRegion(page)).toContainText('Workcell manager answers.');
  await expect(checkRegion(page)).toContainText('Location manager answers.');
  await checkRegion(page).getByText('1. Wait').click();
  await expect(checkRegion(page)).toContainText('wait is one of its own actions.');
  await expect(checkRegion(page)).toContainText(definitionTexts.lab.argumentsComplete(1));
  expect(submissions.definitions()).toBe(0);

  await page.getByLabel(submitTexts.author).fill('Grace Hopper');
  await button(page, submitTexts.submit).click();
  await expect(page.getByText(submitTexts.outcome.done('Wait for it'))).toBeVisible();
  await page.getByRole('link', { name: submitTexts.outcome.open }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Wait for it');
  await expect(page.getByText('by Grace Hopper')).toBeVisible();
  await expect(page.getByText(workflowStateTexts.completed, { exact: true }).first()).toBeVisible();
  expect([submissions.definitions(), submissions.starts()]).toEqual([1, 1]);

  // The submitted text is no longer a draft; the author stays.
  await openSubmit(page, url);
  await expect.poll(() => readDefinitionText(page)).toContain('New workflow');
  await expect(page.getByLabel(submitTexts.author)).toHaveValue('Grace Hopper');
});

test('a dropped file replaces the definition, which can be restored, and a binary file is refused', async ({
  page,
  demo,
}) => {
  const { url } = await demo();
  await openSubmit(page, url);
  await write(page, waitDefinition.replace('Wait for it', 'Mine'));
  const dropped = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text.replaceAll('\n', '\r\n')], 'dropped.yaml', { type: 'application/yaml' }));
    return transfer;
  }, waitDefinition);
  await page.getByRole('region', { name: submitTexts.definition }).dispatchEvent('drop', { dataTransfer: dropped });
  await expect(page.getByText('dropped.yaml is open.')).toBeVisible();
  await expect.poll(() => readDefinitionText(page)).toBe(waitDefinition);
  await button(page, 'Undo').click();
  await expect.poll(() => readDefinitionText(page)).toContain('name: Mine');

  const binary = { name: 'plate.yaml', mimeType: 'application/yaml', buffer: Buffer.from([0xff, 0xfe, 0, 0x12]) };
  await page.getByLabel(submitTexts.open).setInputFiles(binary);
  await expect(page.getByText(`plate.yaml could not be opened: ${schemaFormTexts.notText}`)).toBeVisible();
  await expect.poll(() => readDefinitionText(page)).toContain('name: Mine');
});

test('the editor suggests the nodes, actions, arguments and locations of this lab', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await openSubmit(page, url);
  // Suggestions depend on the lab's state: this problem appears only after the editor has read it.
  await write(page, 'name: Carry\nsteps:\n  - node: nobody\n    action: home\n');
  await expect(problems(page)).toContainText('no node “nobody”');
  await write(page, 'name: Carry\nsteps:\n  - name: Carry\n    ');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('nod');
  await page.keyboard.press('Control+Space');
  await expect(suggestions(page).first()).toContainText('node');
  await acceptSuggestion(page);
  // The value is suggested at once: every node, and nothing else.
  await expect(suggestions(page)).toHaveCount(lab.nodes.length);
  for (const { name } of lab.nodes) await expect(suggestions(page).filter({ hasText: name })).toHaveCount(1);
  await page.keyboard.type('robot');
  await expect(suggestions(page)).toHaveCount(1);
  await acceptSuggestion(page);

  await page.keyboard.press('Enter');
  await page.keyboard.type('action: ');
  await page.keyboard.press('Control+Space');
  await expect(suggestions(page)).toHaveText([/^home/, /^transfer/]);
  await page.keyboard.type('tra');
  await expect(suggestions(page)).toHaveCount(1);
  await acceptSuggestion(page);

  await page.keyboard.press('Enter');
  await page.keyboard.type('args:');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Space');
  await expect(suggestions(page)).toHaveText([/^speed.*float/]);
  await acceptSuggestion(page);
  await page.keyboard.type('80');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type('locations:');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Space');
  await expect(suggestions(page)).toHaveText([/^source.*required/, /^target.*required/]);
  await acceptSuggestion(page);
  // Locations with a representation for the arm come first.
  await expect(suggestions(page).last()).toHaveText(/not known to this node/);
  await page.keyboard.type('storage');
  await expect(suggestions(page)).toHaveCount(1);
  await acceptSuggestion(page);
  await expect.poll(() => readDefinitionText(page)).toBe(`name: Carry
steps:
  - name: Carry
    node: robotarm_1
    action: transfer
    args:
      speed: 80
    locations:
      source: storage_rack`);
  await expect(problems(page)).toContainText('transfer needs the location “target”.');

  await page.mouse.move(...(await findMiddle(page, 'transfer')));
  await expect(page.getByText('Carry a plate from one place to another.')).toBeVisible();
});

test('the editor checks while typing and shows line, reason and a suggestion', async ({ page, demo }) => {
  const { url } = await demo();
  await openSubmit(page, url);
  await write(
    page,
    `name: Mistakes
stepz: []
steps:
  - name: Home
    node: robotarm_2
    action: home
  - name: Read
    node: platereader_1
    action: read_wel
  - name: Move
    node: robotarm_1
    action: transfer
    args:
      speed: fast
    locations:
      source: storage_rak
`,
  );
  const problem = (name: RegExp) => problems(page).getByRole('button', { name });
  await expect(problem(/Line 5.*no node “robotarm_2”. Did you mean “robotarm_1”\?/)).toBeVisible();
  await expect(problem(/Line 9.*no action “read_wel”. Did you mean “read_well”\?/)).toBeVisible();
  await expect(problem(/Line 14.*“speed” \(float\)/)).toBeVisible();
  await expect(problem(/Line 16.*no location “storage_rak”. Did you mean “storage_rack”\?/)).toBeVisible();
  await expect(problem(/needs the location “target”/)).toBeVisible();
  await expect(problem(/Line 2.*silently ignores the key “stepz”. Did you mean “steps”\?/)).toBeVisible();
  await expect(problems(page).getByRole('status')).toHaveText('5 errors, 1 warning');

  // Clicking a problem moves to its line; typing there removes the problem.
  await problem(/robotarm_2/).click();
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('1');
  await expect(problem(/robotarm_2/)).toHaveCount(0);

  await write(page, 'name: Tabs\nsteps:\n\t- action: wait\n');
  await expect(problem(/^Error, Line 3 A tab can’t indent in YAML: use spaces\.$/)).toBeVisible();
  await write(page, '');
  await expect(problem(/The definition is empty/)).toBeVisible();
});

test('the form shows fields for the values and files of a definition, checks them and submits them', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const submissions = countSubmissions(page, lab);
  await openSubmit(page, url);
  await write(page, countBytesDefinition);
  const pause = form(page).getByLabel('pause', { exact: true });
  await expect(form(page)).toContainText('How long to wait first');
  await expect(form(page).getByLabel('unit', { exact: true })).toHaveValue('bytes');
  await button(page, submitTexts.check).click();
  await expect(checkRegion(page).getByRole('status')).toHaveText(submitTexts.summary.problem);
  await expect(checkRegion(page)).toContainText('pause: Required.');
  await expect(checkRegion(page)).toContainText('document: Select a file.');

  await button(page, submitTexts.submit).click();
  await expect(page.getByText(submitTexts.cannotSubmit.form)).toBeVisible();
  await expect(pause).toBeFocused();
  await pause.fill('soon');
  await expect(form(page)).toContainText('“soon” is not a number.');
  await pause.fill('0.5');
  await form(page).getByLabel('document').setInputFiles(yamlFile('protocol.txt', 'twelve bytes'));
  await expect(form(page)).toContainText('protocol.txt');
  await expect(checkRegion(page)).toContainText('changed since then');
  expect(submissions.definitions()).toBe(0);

  await button(page, submitTexts.submit).click();
  await page.getByRole('link', { name: submitTexts.outcome.open }).click();
  await expect(page.getByText(workflowStateTexts.completed, { exact: true }).first()).toBeVisible();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const { steps, parameter_values: values } = await waitUntilEnded(lab, id);
  expect(values).toMatchObject({ unit: 'bytes', pause: 0.5 });
  expect(steps[1]?.result?.status).toBe('succeeded');
  await page.getByRole('tab', { name: workflowsTexts.page.inputs }).click();
  await expect(page.getByRole('tabpanel')).toContainText('protocol.txt');
});

test('values and files of another definition are not sent', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await openSubmit(page, url);
  await write(page, countBytesDefinition);
  await form(page).getByLabel('pause', { exact: true }).fill('3');
  await form(page).getByLabel('document').setInputFiles(yamlFile('protocol.txt', 'twelve bytes'));
  await page.getByLabel(submitTexts.open).setInputFiles(yamlFile('wait.yaml', waitDefinition));
  await expect(form(page)).toContainText('This definition has no parameters.');
  await button(page, submitTexts.submit).click();
  await expect(page.getByText(submitTexts.outcome.done('Wait for it'))).toBeVisible();
  const link = await page.getByRole('link', { name: submitTexts.outcome.open }).getAttribute('href');
  const workflow = await workcellClient(lab).getWorkflow({ workflow_id: link?.split('/').at(-1) ?? '' });
  expect(workflow.parameter_values ?? {}).toEqual({});
  expect(workflow.file_input_paths ?? {}).toEqual({});
});

test('the check lists busy and unavailable nodes, a failed workcell, and a manager that prevents every start', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  await submit(lab, 'Long one', [slowStep(60)]);
  await lab.faults.setNode('liquidhandler_1', 'unreachable');
  await expect
    .poll(async () => (await workcellClient(lab).getNode({ node_name: 'liquidhandler_1' })).status?.disconnected)
    .toBe(true);
  await expect.poll(async () => (await workcellClient(lab).getNode({ node_name: testNode })).status?.busy).toBe(true);
  await openSubmit(page, url);
  await write(
    page,
    `name: Ready or not
steps:
  - {name: Shake, node: ${testNode}, action: slow, args: {seconds: 1}}
  - {name: Prime, node: liquidhandler_1, action: run_command, args: {command: prime}}
`,
  );
  await button(page, submitTexts.check).click();
  await expect(checkRegion(page).getByRole('status')).toHaveText(submitTexts.summary.warning);
  await checkRegion(page).getByText('1. Shake').click();
  await expect(checkRegion(page)).toContainText(`${testNode} is busy; the step is queued.`);
  // Failed checks are expanded and link to their position.
  const disconnectedProblem = checkRegion(page).getByRole('button', {
    name: 'The workcell manager can’t reach liquidhandler_1: the step waits until it can.',
  });
  await disconnectedProblem.click();
  await expect(editor(page)).toBeFocused();

  lab.faults.setWorkcell('errored');
  await button(page, submitTexts.check).click();
  await expect(checkRegion(page)).toContainText(
    'The workcell is in an error state and starts no step until its manager restarts',
  );
  await lab.faults.setManager('location', { kind: 'down' });
  await button(page, submitTexts.check).click();
  await expect(checkRegion(page).getByRole('status')).toHaveText(submitTexts.summary.problem);
  await expect(checkRegion(page)).toContainText(/Location manager does not answer: .* Every start needs it\./);
});

test('Check, Submit and the suggestions stay in view in a low window', async ({ page, demo }) => {
  const { url } = await demo();
  await page.setViewportSize({ width: 1280, height: 560 });
  await openSubmit(page, url);
  await write(page, `${waitDefinition}${'# a line\n'.repeat(40)}  - name: Next\n    node: `);
  await page.keyboard.press('Control+End');
  await page.mouse.move(1000, 500);
  await page.mouse.wheel(0, 4000);
  for (const name of ['Check', 'Submit']) await expect(button(page, name)).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Control+Space');
  await expect(suggestions(page).first()).toBeVisible();
  // The editor hides the list while it measures its position.
  await expect(async () => {
    const list = await page.getByRole('listbox').boundingBox();
    expect(list?.y).toBeGreaterThanOrEqual(52);
    expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(560);
  }).toPass();
});
