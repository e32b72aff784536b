/** Tests for a tablet used with gloves: all targets are large enough, and a tap has the effect of a click. */
import type { Page } from 'playwright/test';
import { expect, test } from '../support/demoLab.ts';
import { waitUntilRunning, testNode, failingStep, waitUntilEnded, slowStep, submit } from './workflows/workflowsLab.ts';
import { appTexts } from '../../dashboard/app/texts.ts';
import { workflowsTexts } from '../../dashboard/panels/workflows/texts.ts';
import { guardTexts } from '../../dashboard/managers/guards/texts.ts';
import { safetyStopTexts } from '../../api/safetyStop/safetyStopTexts.ts';

test.use({ viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true });

/** The minimum heights of a tap target and of a table row, in px. */
const minTargetHeight = 44;
const minRowHeight = 48;

/** Returns the tap targets on the page that are too small for a gloved finger, except links in a sentence. */
async function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate((size) => {
    const isVisible = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const isInText = (element: Element): boolean =>
      element.tagName === 'A' && getComputedStyle(element).display === 'inline';
    return [...document.querySelectorAll('button, a[href], select, input, summary, [role="menuitem"]')].flatMap(
      (element) => {
        const box = element.getBoundingClientRect();
        if (
          !isVisible(element) ||
          isInText(element) ||
          box.width === 0 ||
          element.closest('.visually-hidden, [class*="skip"]')
        )
          return [];
        // The label around a field also receives the tap.
        const target = (element.closest('label') ?? element).getBoundingClientRect();
        if (target.height >= size - 0.5 || target.height === 0) return [];
        return [
          `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim()}”: ${Math.round(target.width)} × ${Math.round(target.height)}`,
        ];
      },
    );
  }, minTargetHeight);
}

test('every touch target is at least 44 px high', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(lab, 'Shaker test', [failingStep, slowStep(1)]);
  await waitUntilEnded(lab, id);
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const panels = await page
    .getByRole('navigation', { name: appTexts.app.panels })
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  expect(panels.length).toBeGreaterThan(1);
  for (const path of [...panels, `workcells/nodes/${testNode}`, `workflows/${id}`, 'workflows/submit']) {
    await page.goto(new URL(path, url).href);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^updated/).first()).toBeAttached();
    expect.soft(await findSmallTargets(page), path).toEqual([]);
  }
});

test('a workflow is found, opened, closed and paused by taps', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const { workflow_id: id } = await submit(lab, 'Growth assay', [slowStep(600), slowStep(1)]);
  await waitUntilRunning(lab, id);
  await page.goto(url);
  await page
    .getByRole('navigation', { name: appTexts.app.panels })
    .getByRole('link', { name: /Workflows/ })
    .tap();
  const line = page.getByRole('row', { name: /^Growth assay/ });
  await expect.poll(async () => (await line.boundingBox())?.height).toBeGreaterThanOrEqual(minRowHeight);
  await line.getByRole('link', { name: 'Growth assay' }).tap();
  const side = page.getByRole('complementary', { name: 'Growth assay' });
  await expect(side).toContainText('Incubate');
  await side.getByRole('button', { name: 'Close' }).tap();
  await expect(side).toHaveCount(0);
  await line.getByRole('link', { name: 'Growth assay' }).tap();
  await side.getByRole('link', { name: workflowsTexts.page.openFull }).tap();
  // The next tap must hit the page, not the closing panel.
  await expect(side).toHaveCount(0);
  await page.getByRole('button', { name: 'Pause…' }).tap();
  await page.getByRole('alertdialog').getByRole('button', { name: guardTexts.pauseVerb }).tap();
  await expect(page.getByText(/^Paused at step 1 of 2/).first()).toBeVisible();
});

test('one tap on the safety stop stops the nodes', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await page.goto(new URL('workflows', url).href);
  await expect(page.getByText(workflowsTexts.list.idle)).toBeVisible();
  await page.getByRole('button', { name: safetyStopTexts.button }).tap();
  await expect(page.getByRole('region', { name: safetyStopTexts.title })).toContainText('confirmed');
  const stopped = () => lab.nodes.filter((node) => node.status().stopped).map(({ name }) => name);
  // At first the report counts only the nodes that have confirmed so far, so the test polls the node.
  await expect.poll(stopped).toContain('robotarm_1');
});
