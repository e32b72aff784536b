/** axe on the panels that run the lab, on a lab with a past: both themes, wide and narrow, and on the wall screen. */
import type { Page } from 'playwright';
import { violations } from '../support/accessibility.ts';
import { expect, test } from '../support/demoLab.ts';
import { pressEscape } from '../support/keyboard.ts';
import { editor, openSubmit } from './submitPage.ts';
import { atWork, ended, fails, handle, slow, submit } from './workflowsLab.ts';

/** Moved in from the editor, with the arrow keys; axe knows that of comboboxes alone. */
const offered = /^scrollable-region-focusable: <ul [^>]*role="listbox"/;
const sizes = [
  [1440, 900],
  [420, 800],
] as const;

for (const [width, height] of sizes) {
  test(`no violation on workcells, nodes, workflows and the submit page at ${width} px`, async ({ page, demo }) => {
    test.setTimeout(180_000);
    await page.setViewportSize({ width, height });
    const { lab, url } = await demo({ past: true });
    const failed = await submit(lab, 'Shaker test', [handle('Prime'), fails, slow(1)]);
    await ended(lab, failed.workflow_id);
    const running = await submit(lab, 'Growth assay', [slow(600), handle()]);
    await atWork(lab, running.workflow_id);
    await lab.faults.setNode('platereader_1', 'errored');
    await lab.faults.setNode('liquidhandler_2', 'unreachable');

    const text = (words: string | RegExp) => async (on: Page) =>
      void (await expect(on.getByText(words).first()).toBeVisible());
    const routes = [
      ['workcells', text('motor stalled')],
      ['workcells?kiosk', text('motor stalled')],
      ['workcells/nodes/platereader_1', text('HardwareError: motor stalled')],
      ['workcells/nodes/advanced_example_node', text('Growth assay')],
      ['workflows', text('Shaker test')],
      ['workflows?kiosk', text('Growth assay')],
      [`workflows/${failed.workflow_id}`, text('Failed at step 2 of 3: Shake')],
      [`workflows/${running.workflow_id}`, text('Running step 1 of 2: Incubate')],
      ['workflows/submit', (on: Page) => expect(editor(on)).toBeVisible()],
    ] as const;
    for (const [route, shown] of routes) {
      await page.goto(new URL(route, url).href);
      await shown(page);
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        expect.soft(await violations(page, ['target-size']), `${route} in ${theme}`).toEqual([]);
      }
    }
  });
}

test('no violation on the submit page with problems, a check, offers and templates', async ({ page, demo }) => {
  const { url } = await demo();
  await openSubmit(page, url);
  await editor(page).fill(
    'name: Read\nparameters:\n  json_inputs:\n    - key: well\nsteps:\n  - node: platereader\n    ',
  );
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText('well: This is needed.')).toBeVisible();
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(page.getByText('This is needed.', { exact: true })).toBeVisible();
  await editor(page).press('Control+End');
  await page.keyboard.press('Control+Space');
  await expect(page.getByRole('listbox')).toBeVisible();
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    const found = await violations(page, ['target-size']);
    expect
      .soft(
        found.filter((violation) => !offered.test(violation)),
        `what is offered, in ${theme}`,
      )
      .toEqual([]);
  }
  await pressEscape(page);
  await page.getByRole('button', { name: 'Keep as template…' }).click();
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await expect(page.getByText('Kept as “Read” in this browser.')).toBeVisible();
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect.soft(await violations(page, ['target-size']), `templates in ${theme}`).toEqual([]);
  }
});
