/** From the Overview to a running workflow by keyboard alone. */
import type { Page } from 'playwright';
import { expect, test } from '../../support/demoLab.ts';
import {
  button,
  checkRegion,
  editor,
  suggestions,
  problems,
  acceptSuggestion,
  readDefinitionText,
} from './submitPage.ts';
import { submitTexts } from '#dashboard/panels/workflows/submit/texts.ts';
import { workflowStateTexts } from '#dashboard/managers/workcell/workflowState.ts';

/** Presses Tab, or Shift+Tab, until the element has focus. */
async function tabTo(page: Page, name: string | RegExp, role: 'button' | 'link' | 'textbox', key = 'Tab') {
  const target = page.getByRole(role, { name, exact: true });
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Not reached by ${key}: ${String(name)}`);
}

test('a workflow is written, checked, submitted and opened without a pointer', async ({ page, demo }) => {
  // More than a hundred key presses, each checked.
  const { url } = await demo();
  await page.clock.install();
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
  await page.keyboard.press('Control+KeyK');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('submit a workflow');
  await expect(page.getByRole('option').first()).toContainText(submitTexts.title);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/workflows\/submit$/);

  await tabTo(page, submitTexts.editorLabel, 'textbox');
  await page.keyboard.press('Control+KeyA');
  await page.keyboard.press('Delete');
  for (const line of ['name: By hand', 'steps:', '- name: Settle']) {
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
  }
  await page.keyboard.type('node: ');
  await page.keyboard.press('Control+Space');
  await expect(suggestions(page).first()).toBeVisible();
  await page.keyboard.type('advanced');
  await expect(suggestions(page)).toHaveCount(1);
  await acceptSuggestion(page);
  await page.keyboard.press('Enter');
  await page.keyboard.type('action: ');
  await page.keyboard.press('Control+Space');
  await page.keyboard.type('slow');
  await expect(suggestions(page)).toHaveCount(1);
  await acceptSuggestion(page);
  await page.keyboard.press('Enter');
  await page.keyboard.type('args:');
  await page.keyboard.press('Enter');
  await page.keyboard.type('seconds: 1');
  await expect
    .poll(() => readDefinitionText(page))
    .toBe(
      'name: By hand\nsteps:\n  - name: Settle\n    node: advanced_example_node\n    action: slow\n    args:\n      seconds: 1',
    );
  await expect(problems(page)).toContainText(submitTexts.noProblems);

  // Tab indents in the editor; after Escape it moves the focus, however late it is pressed.
  await page.keyboard.press('Escape');
  await page.clock.fastForward(2500);
  await page.keyboard.press('Tab');
  await expect(editor(page)).not.toBeFocused();
  await tabTo(page, submitTexts.author, 'textbox');
  await page.keyboard.type('Ada');
  await tabTo(page, submitTexts.check, 'button');
  await page.keyboard.press('Enter');
  await expect(checkRegion(page).getByRole('status')).toHaveText(submitTexts.summary.ok);
  await expect(button(page, submitTexts.check)).toBeFocused();
  await tabTo(page, submitTexts.submit, 'button');
  await page.keyboard.press('Enter');
  await expect(page.getByText(submitTexts.outcome.done('By hand'))).toBeVisible();
  await tabTo(page, submitTexts.outcome.open, 'link');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('By hand');
  await expect(page.getByText(workflowStateTexts.completed, { exact: true }).first()).toBeVisible();
});
