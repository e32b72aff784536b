/**
 * axe on the pages that the panels' own tests leave out: wall screens, an errored node, a running workflow, the submit
 * page. Both themes, wide and narrow.
 */
import type { Page } from 'playwright';
import { templateTexts } from '../../dashboard/panels/resources/texts.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/demoLab.ts';
import { editor, openSubmit, write } from './workflows/submitPage.ts';
import { waitUntilRunning, quickStep, slowStep, submit } from './workflows/workflowsLab.ts';
import { submitTexts } from '../../dashboard/panels/workflows/submit/texts.ts';
import { schemaFormTexts } from '../../dashboard/components/form/texts.ts';

/**
 * axe reports the suggestion list as not focusable. It is operated with the arrow keys in the editor, which axe accepts
 * only for comboboxes.
 */
const suggestionList = /^\w+: scrollable-region-focusable: <ul [^>]*role="listbox"/;
const sizes = [
  [1440, 900],
  [360, 740],
] as const;

for (const [width, height] of sizes) {
  test(`wall screens, an errored node, a running workflow and the submit page pass axe at ${width} px`, async ({
    page,
    demo,
  }) => {
    await page.setViewportSize({ width, height });
    const { lab, url } = await demo({ past: true });
    const running = await submit(lab, 'Growth assay', [slowStep(600), quickStep()]);
    await waitUntilRunning(lab, running.workflow_id);
    await lab.faults.setNode('platereader_1', 'errored');
    await lab.faults.setNode('liquidhandler_2', 'unreachable');

    const text = (label: string | RegExp) => async (shown: Page) =>
      void (await expect(shown.getByText(label).first()).toBeVisible());
    const routes = [
      ['workcells?kiosk', text('motor stalled')],
      ['workcells/nodes/platereader_1', text('HardwareError: motor stalled')],
      ['workflows?kiosk', text('Growth assay')],
      ['timeline?kiosk', text(/workflows? completed/)],
      [`workflows/${running.workflow_id}`, text('Running step 1 of 2: Incubate')],
      ['workflows/submit', (shown: Page) => expect(editor(shown)).toBeVisible()],
    ] as const;
    for (const [route, waitForContent] of routes) {
      await page.goto(new URL(route, url).href);
      await waitForContent(page);
      expect.soft(await violationsInBothThemes(page, ['target-size']), route).toEqual([]);
    }
  });
}

test('the submit page passes axe with problems, a check, suggestions and templates', async ({ page, demo }) => {
  const { url } = await demo();
  await openSubmit(page, url);
  await write(page, 'name: Read\nparameters:\n  json_inputs:\n    - key: well\nsteps:\n  - node: platereader\n    ');
  await page.getByRole('button', { name: submitTexts.check, exact: true }).click();
  await expect(page.getByText('well: Required.')).toBeVisible();
  await page.getByRole('button', { name: submitTexts.submit, exact: true }).click();
  await expect(page.getByText(schemaFormTexts.problems.missing, { exact: true })).toBeVisible();
  await editor(page).press('Control+End');
  await page.keyboard.press('Control+Space');
  await expect(page.getByRole('listbox')).toBeVisible();
  const violations = await violationsInBothThemes(page, ['target-size']);
  expect
    .soft(
      violations.filter((violation) => !suggestionList.test(violation)),
      'suggestions',
    )
    .toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: templateTexts.fromResource }).click();
  await page.getByRole('button', { name: submitTexts.template.store, exact: true }).click();
  await expect(page.getByText(submitTexts.template.stored('Read'))).toBeVisible();
  expect.soft(await violationsInBothThemes(page, ['target-size']), 'templates').toEqual([]);
});
