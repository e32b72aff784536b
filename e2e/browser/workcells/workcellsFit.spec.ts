/** The Workcells panel: accessibility of each of its views with axe, and two hundred nodes. */
import { violationsInBothThemes } from '../../support/browser/accessibility.ts';
import { expect, test } from '../../support/demoLab.ts';
import { card, occupyNode, openMenu } from '../../support/browser/workcellsPage.ts';
import { workcellTexts } from '#dashboard/panels/workcells/texts.ts';
import { componentTexts } from '#dashboard/components/texts.ts';
import { nodeCommandTexts as commands } from '#dashboard/managers/commands/nodeCommandTexts.ts';
import { nodeCommandTable } from '#dashboard/managers/guards/nodeCommandTable.ts';

test('the workcell page with two hundred nodes renders unchanged content only once, and finds a node', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  await fetch(`${lab.controlUrl}demo/scale`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nodes: 200 }),
  });
  await page.addInitScript(() => {
    const longTasks: number[] = [];
    Object.assign(globalThis, { longTasks });
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  await page.goto(`${url}workcells`);
  await expect(page.getByText(/^200 nodes: /)).toBeVisible();
  const cards = page.getByRole('list', { name: workcellTexts.caption }).getByRole('listitem');
  await expect(cards).toHaveCount(200);
  const waitForResponses = (count: number) =>
    Array.from({ length: count }).reduce<Promise<unknown>>(
      (before) => before.then(() => page.waitForResponse((response) => response.url().endsWith('/state'))),
      Promise.resolve(),
    );
  // The number of columns is set after the first layout.
  await waitForResponses(1);
  await page.evaluate(() => {
    (globalThis as unknown as { longTasks: number[] }).longTasks.length = 0;
    const list = document.querySelector('ul[aria-label="Nodes of the workcell"]');
    Object.assign(globalThis, { changes: 0 });
    new MutationObserver((records) => {
      (globalThis as unknown as { changes: number }).changes += records.length;
    }).observe(list as Element, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  await waitForResponses(3);
  const measurement = await page.evaluate(() => {
    const { changes, longTasks } = globalThis as unknown as { changes: number; longTasks: number[] };
    return { changes, longTasks };
  });
  const tasks = measurement.longTasks.map(Math.round).join(', ') || 'none';
  console.log(`200 nodes, three readings: ${measurement.changes} changes of the cards, long tasks in ms: ${tasks}`);
  // Unchanged content is not rendered again. The length of a task depends on the machine, so it is only logged.
  expect(measurement.changes).toBe(0);
  await page.getByRole('searchbox', { name: 'Find a node' }).fill('node_199');
  await expect(cards).toHaveCount(1);
});

for (const width of [1440, 420]) {
  test(`cards, menu, question, table, dialog, side panel and node page of a workcell pass axe at ${width} px`, async ({
    page,
    demo,
  }) => {
    // axe takes at least a second in each of seven runs.
    const { lab, url } = await demo();
    await occupyNode(lab, 'advanced_example_node');
    await lab.faults.setNode('platereader_1', 'errored');
    await page.setViewportSize({ width, height: width === 420 ? 800 : 900 });
    const checkPage = async (viewName: string, extraRules: readonly string[] = ['target-size']) =>
      expect.soft(await violationsInBothThemes(page, extraRules), viewName).toEqual([]);

    await page.goto(`${url}workcells`);
    await expect(card(page, 'advanced_example_node')).toContainText('Busy: Shake');
    await checkPage('cards');
    await expect(await openMenu(page, 'robotarm_1')).toBeVisible();
    // The overlay above them reduces the size of the targets below.
    await checkPage('menu', []);
    await page.getByRole('menuitem', { name: commands.pending(nodeCommandTable.shutdown.verb) }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toBeVisible();
    await checkPage('question');
    // axe ignores text in the color of its background: it treats it as hidden on purpose.
    const colors = await question
      .getByRole('button', { name: commands.button(nodeCommandTable.shutdown.verb, 'robotarm_1') })
      .evaluate((button) => [getComputedStyle(button).color, getComputedStyle(button).backgroundColor]);
    expect(colors[0]).not.toBe(colors[1]);
    await question.getByRole('button', { name: componentTexts.confirm.back }).click();
    await expect(question).toHaveCount(0);

    await page.getByRole('button', { name: workcellTexts.table }).click();
    await expect(page.getByRole('grid', { name: workcellTexts.caption })).toBeVisible();
    await checkPage('table');
    const folded = page.getByRole('button', { name: componentTexts.table.filters(0), exact: true });
    if (width === 420) await folded.first().click();
    await page.getByRole('button', { name: workcellTexts.add.open }).click();
    await page.getByRole('dialog').getByRole('button', { name: workcellTexts.add.button }).click();
    await expect(page.getByRole('dialog')).toContainText(workcellTexts.add.needName);
    await checkPage('adding');

    await page.goto(`${url}workcells?open=platereader_1`);
    await expect(page.getByRole('complementary', { name: 'platereader_1' })).toBeVisible();
    await checkPage('side panel');
    await page.goto(`${url}workcells/nodes/advanced_example_node?action=every_argument`);
    await expect(page.getByRole('button', { name: workcellTexts.send.send })).toBeVisible();
    await checkPage('node page');
  });
}
