/** The Workcells panel on the demo lab: the state of the nodes, commands to one and to all, adding one. */
import { nodeCommandTexts as commands } from '#dashboard/managers/commands/nodeCommandTexts.ts';
import { nodeCommandEffects, nodeCommandTable } from '#dashboard/managers/guards/nodeCommandTable.ts';
import { workcellTexts } from '#dashboard/panels/workcells/texts.ts';
import { waitUntilSettled } from '../../support/browser/accessibility.ts';
import { expect, test } from '../../support/demoLab.ts';
import { delayResponses } from '../../support/browser/delayResponses.ts';
import {
  card,
  sendCommand,
  occupyNode,
  openMenu,
  outcomes,
  failedRequestMessages,
  pressCommand,
} from '../../support/browser/workcellsPage.ts';
import { workcellClient } from '../workflows/workflowsLab.ts';
import { workflowStateTexts } from '#dashboard/managers/workcell/workflowState.ts';
import { componentTexts } from '#dashboard/components/texts.ts';
import { outcomeAppearances } from '#api/states.ts';

test('the workcell page shows the state of every node and counts the states', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await occupyNode(lab, 'advanced_example_node');
  await lab.faults.setNode('platereader_1', 'errored');
  await lab.faults.setNode('liquidhandler_2', 'unreachable');
  await sendCommand(lab, 'admin/pause/robotarm_1');
  await page.goto(`${url}workcells`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Demo Workcell');
  await expect(page.getByText('5 nodes: 1 ready, 1 busy, 1 paused, 1 in error, 1 unreachable')).toBeVisible();
  await expect(page.getByText(workcellTexts.scheduler('400 ms'))).toBeVisible();
  await expect(card(page, 'liquidhandler_1')).toContainText('Ready');
  await expect(card(page, 'advanced_example_node')).toContainText('Busy: Shake');
  await expect(card(page, 'advanced_example_node')).toContainText(workcellTexts.step(1, 2, 'Long assay'));
  await expect(card(page, 'advanced_example_node')).toContainText(/since \d\d:\d\d/);
  await expect(card(page, 'platereader_1')).toContainText('motor stalled');
  await expect(card(page, 'liquidhandler_2')).toContainText('Unreachable');
  await expect(
    card(page, 'robotarm_1').getByRole('button', {
      name: commands.button(nodeCommandTable.resume.verb, 'robotarm_1'),
    }),
  ).toBeVisible();
  const names = page.getByRole('list', { name: workcellTexts.caption }).getByRole('link');
  // Nodes that need attention come first, by severity; then by name.
  await expect(names.nth(0)).toHaveText('liquidhandler_2');
  await expect(names.nth(1)).toHaveText('platereader_1');

  const workflows = page.getByRole('grid', { name: 'Workflows that run or wait' });
  await expect(workflows).toContainText(workflowStateTexts.running(1, 2));
  await expect(workflows.getByRole('link', { name: 'Long assay' })).toHaveAttribute('href', /\/workflows\/\w{26}$/);

  // The table sorts by severity first, and the selected view is remembered.
  await page.getByRole('button', { name: workcellTexts.table }).click();
  const table = page.getByRole('grid', { name: workcellTexts.caption });
  await expect(table.getByRole('row').nth(1)).toContainText('liquidhandler_2');
  await expect(table.getByRole('row').nth(2)).toContainText('platereader_1');
  await page.reload();
  await expect(table).toBeVisible();
});

test('a node opens next to the list with its own address and as a page, where a reset makes its error a past one', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  await lab.faults.setNode('platereader_1', 'errored');
  await page.goto(`${url}workcells`);
  await card(page, 'platereader_1').getByRole('link', { name: 'platereader_1' }).click();
  const side = page.getByRole('complementary', { name: 'platereader_1' });
  await expect(side).toContainText('in an error state');
  await expect(side).toContainText(workcellTexts.flags.not('busy, paused, locked, stopped, unreachable, initializing'));
  await expect(side).toContainText('HardwareError: motor stalled');
  await expect(side).toContainText('demo_plate_reader');
  await expect(page).toHaveURL(/\/workcells\?open=platereader_1$/);
  await page.keyboard.press('Escape');
  await expect(side).toHaveCount(0);
  await page.goBack();
  await expect(side).toBeVisible();
  await side.getByRole('link', { name: 'Open full page' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('platereader_1');

  // After the reset the error is listed as a past error.
  await page.getByRole('button', { name: 'Reset…' }).click();
  const dialog = page.getByRole('alertdialog', {
    name: commands.title(nodeCommandTable.reset.verb, 'platereader_1'),
  });
  await expect(dialog).toContainText(nodeCommandEffects.resetCause);
  await dialog.getByRole('button', { name: commands.button(nodeCommandTable.reset.verb, 'platereader_1') }).click();
  await expect(outcomes(page)).toContainText(nodeCommandTable.reset.done);
  await expect(page.getByText('Earlier errors (1)')).toBeVisible();
  await expect(page.getByText('Current error')).toHaveCount(0);
});

test('a command is sent to one node, and the node’s reply is shown @fast', async ({ page, demo }) => {
  const { url } = await demo();
  await page.goto(`${url}workcells`);
  await pressCommand(page, 'liquidhandler_1', nodeCommandTable.lock.verb);
  await expect(outcomes(page)).toContainText('Lock, liquidhandler_1');
  await expect(outcomes(page)).toContainText(nodeCommandTable.lock.done);
  await expect(card(page, 'liquidhandler_1')).toContainText('Locked');
  await card(page, 'liquidhandler_1')
    .getByRole('button', { name: commands.button(nodeCommandTable.unlock.verb, 'liquidhandler_1') })
    .click();
  await expect(card(page, 'liquidhandler_1')).toContainText('Ready');
});

test('inapplicable commands are disabled and show why, and unsupported commands are not in the menu', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  await lab.faults.setNode('liquidhandler_1', 'unreachable');
  await sendCommand(lab, `node?node_name=far&node_url=${encodeURIComponent('http://127.0.0.1:9/')}`);
  await page.goto(`${url}workcells`);
  const expectRefused = async (name: string, item: RegExp, reason: RegExp) => {
    const menu = await openMenu(page, name);
    const entry = menu.getByRole('menuitem', { name: item });
    await expect(entry).toHaveAttribute('aria-disabled', 'true');
    await expect(entry).toContainText(reason);
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
  };
  await expectRefused('robotarm_1', /^Resume/, /It is not paused/);
  await expectRefused('robotarm_1', /^Unlock/, /It is not locked/);
  await expectRefused('robotarm_1', /^Cancel action/, /No action is running/);
  await expectRefused('liquidhandler_1', /^Shut down/, /rejects every command except reset/);
  const simple = await openMenu(page, 'liquidhandler_2');
  await expect(simple).toContainText(commands.unsupportedCommands('safety_stop, pause, resume, cancel, get_location'));
  await expect(simple.getByRole('menuitem', { name: nodeCommandTable.pause.verb })).toHaveCount(0);
  await page.keyboard.press('Escape');
  const far = await openMenu(page, 'far');
  await expect(far).toContainText(commands.neverReached('far'));
  await expect(far.getByRole('menuitem')).toHaveCount(0);
});

test('a command that ends work requires a confirmation and names the affected workflow', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await occupyNode(lab, 'advanced_example_node');
  await page.goto(`${url}workcells`);
  await expect(card(page, 'advanced_example_node')).toContainText('Busy: Shake');
  await pressCommand(page, 'advanced_example_node', commands.pending(nodeCommandTable.shutdown.verb));
  const shutdown = page.getByRole('alertdialog', {
    name: commands.title(nodeCommandTable.shutdown.verb, 'advanced_example_node'),
  });
  await expect(shutdown).toContainText(nodeCommandEffects.shutdown);
  await expect(shutdown).toContainText(nodeCommandEffects.shutdownWork(commands.onStep(1, 2, 'Shake', 'Long assay')));
  await shutdown.getByRole('button', { name: componentTexts.confirm.back }).click();
  await expect(shutdown).toHaveCount(0);
  expect(lab.nodes.every(({ reachable }) => reachable)).toBe(true);

  await pressCommand(page, 'advanced_example_node', commands.pending(nodeCommandTable.cancel.verb));
  const cancel = page.getByRole('alertdialog', {
    name: commands.title(nodeCommandTable.cancel.verb, 'advanced_example_node'),
  });
  await expect(cancel).toContainText(nodeCommandEffects.workflowEnds('Long assay'));
  await cancel
    .getByRole('button', { name: commands.button(nodeCommandTable.cancel.verb, 'advanced_example_node') })
    .click();
  await expect(outcomes(page)).toContainText(nodeCommandTable.cancel.done);
  await expect(card(page, 'advanced_example_node')).toContainText('Ready');
});

test('a confirmed command checks the state again and requires another confirmation when it would affect another workflow', async ({
  page,
  demo,
  guard,
}) => {
  const { lab, url } = await demo();
  await page.goto(new URL('workcells', url).href);
  const name = 'advanced_example_node';
  await pressCommand(page, name, commands.pending(nodeCommandTable.shutdown.verb));
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(nodeCommandEffects.shutdown);
  // From here on the page reads nothing new by itself.
  const release = await delayResponses(page, '**/state');
  await occupyNode(lab, name);
  // The workcell manager has read the state too.
  const manager = workcellClient(lab);
  await expect.poll(async () => (await manager.getNode({ node_name: name })).status?.busy).toBe(true);
  await dialog.getByRole('button', { name: commands.button(nodeCommandTable.shutdown.verb, name) }).click();
  release();
  await expect(dialog).toContainText(
    'Not sent yet: the state has changed, and so has the effect. Check it again before you continue.',
  );
  await expect(dialog).toContainText('that action is lost');
  expect(guard.requests.some((address) => address.includes('/shutdown'))).toBe(false);
  await dialog.getByRole('button', { name: componentTexts.confirm.back }).click();
  await expect(dialog).toHaveCount(0);
});

test('a command is sent to all reachable nodes, and the result of each node is shown', async ({
  page,
  guard,
  demo,
}) => {
  guard.expected.push(failedRequestMessages);
  const { lab, url } = await demo();
  await lab.faults.setNode('liquidhandler_2', 'unreachable');
  await page.goto(`${url}workcells`);
  await expect(page.getByText('4 ready, 1 unreachable')).toBeVisible();
  await page.getByRole('button', { name: nodeCommandTable.lock.toAll.verb }).click();
  const dialog = page.getByRole('alertdialog', { name: commands.all.title(nodeCommandTable.lock.toAll.verb) });
  await expect(dialog).toContainText(commands.all.recipients(4));
  await expect(dialog).toContainText(commands.all.excluded(1));
  await expect(dialog).toContainText('liquidhandler_2 can’t be reached');
  // Another node becomes unreachable before the command is sent: the others still receive it, and the report shows the
  // failure.
  await lab.faults.setNode('platereader_1', 'unreachable');
  await dialog.getByRole('button', { name: /^Lock all: \d nodes$/ }).click();
  const report = page.getByRole('region', { name: commands.all.describeReport(nodeCommandTable.lock.toAll.verb) });
  await expect(report.getByRole('heading')).toHaveText(/^3 of 5 nodes locked, /);
  for (const name of ['robotarm_1', 'liquidhandler_1', 'advanced_example_node'])
    await expect(report.getByRole('listitem').filter({ hasText: name })).toContainText(nodeCommandTable.lock.done);
  await expect(report.getByRole('listitem').filter({ hasText: 'liquidhandler_2' })).toContainText(
    outcomeAppearances.notSent.label,
  );
  await expect(report.getByRole('listitem').filter({ hasText: 'platereader_1' })).toContainText(/Not (sent|confirmed)/);
  await report.getByRole('button', { name: commands.all.dismiss }).click();
  await expect(report).toHaveCount(0);
  expect(lab.nodes.filter((node) => node.status().locked).map(({ name }) => name)).toEqual([
    'liquidhandler_1',
    'robotarm_1',
    'advanced_example_node',
  ]);
  await page.getByRole('button', { name: nodeCommandTable.unlock.toAll.verb }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: commands.all.button(nodeCommandTable.unlock.toAll.verb, 3) })
    .click();
  await expect(page.getByText('3 ready')).toBeVisible();
});

test('a node is added after a warning that this can’t be undone', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await page.goto(`${url}workcells`);
  await page.getByRole('button', { name: workcellTexts.add.open }).click();
  const dialog = page.getByRole('dialog', { name: workcellTexts.add.title });
  await expect(dialog).toContainText('The workcell manager can’t remove a node');
  await dialog.getByRole('button', { name: workcellTexts.add.button }).click();
  await expect(dialog).toContainText(workcellTexts.add.needName);
  await dialog.getByLabel(workcellTexts.add.name).fill('robotarm_1');
  await expect(dialog).toContainText('There is a node robotarm_1 already.');
  await dialog.getByLabel(workcellTexts.add.name).fill('shaker_1');
  await dialog.getByLabel('Address').fill('lab-pc:2005');
  await expect(dialog).toContainText('An address begins with http://, https:// or sila://');
  await dialog.getByLabel('Address').fill('http://127.0.0.1:9');

  // The name can be added by another client meanwhile: the manager reports that with status 200.
  const refusal = 'Node name exists, node names must be unique!';
  await page.route('**/node?**', (route) =>
    route.fulfill({ headers: { 'access-control-allow-origin': '*' }, json: refusal }),
  );
  await dialog.getByRole('button', { name: workcellTexts.add.button }).click();
  await expect(dialog.getByRole('alert')).toContainText(refusal);
  await page.unroute('**/node?**');

  await dialog.getByRole('button', { name: workcellTexts.add.button }).click();
  await expect(dialog).toHaveCount(0);
  await expect(outcomes(page)).toContainText('It is added; the workcell manager now tries to reach it.');
  await expect(card(page, 'shaker_1')).toContainText(/Unknown|Unreachable/);
  expect(lab.managers.workcell.store.nodes.get('shaker_1')?.url).toBe('http://127.0.0.1:9/');
  await page.goto(`${url}workcells/nodes/shaker_1`);
  await expect(page.getByText('It has not reported its information yet.')).toBeVisible();
  await expect(page.getByText(workcellTexts.send.unknown)).toBeVisible();
});

test('a node is shut down by keyboard alone', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await page.goto(`${url}workcells`);
  const button = page.getByRole('button', { name: commands.menu('robotarm_1') });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: commands.pending(nodeCommandTable.shutdown.verb) })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', {
    name: commands.title(nodeCommandTable.shutdown.verb, 'robotarm_1'),
  });
  await expect(dialog.getByRole('button', { name: componentTexts.confirm.back })).toBeFocused();
  // After its transition the dialog moves the focus to the safe button again.
  await waitUntilSettled(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(outcomes(page)).toContainText(nodeCommandTable.shutdown.done);
  await expect.poll(() => lab.nodes.find(({ name }) => name === 'robotarm_1')?.reachable).toBe(false);
});

test('the workcell page on the wall screen offers no commands', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await lab.faults.setNode('platereader_1', 'errored');
  await page.goto(`${url}workcells?kiosk`);
  await expect(page.getByRole('list', { name: workcellTexts.caption })).toContainText('motor stalled');
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
});
