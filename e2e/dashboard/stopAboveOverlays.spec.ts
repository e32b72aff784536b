/** The safety stop is above every overlay: the first click, tap or key press stops the lab, and closes nothing. */
import type { Locator, Page } from 'playwright/test';
import { appTexts } from '../../dashboard/app/texts.ts';
import { paletteTexts } from '../../dashboard/app/palette/texts.ts';
import { componentTexts } from '../../dashboard/components/texts.ts';
import { nodeCommandTexts as commands } from '../../dashboard/managers/commands/nodeCommandTexts.ts';
import { safetyStopTexts as texts } from '../../api/safetyStopTexts.ts';
import { resourcesTexts } from '../../dashboard/panels/resources/texts.ts';
import { workcellTexts } from '../../dashboard/panels/workcells/texts.ts';
import { expect, test, type Demo } from '../support/demoLab.ts';
import { card, openMenu, pressCommand } from '../support/browser/workcellsPage.ts';
import { editor, offers, openSubmit } from './workflows/submitPage.ts';

test.use({ hasTouch: true });

/** Has a safety stop. */
const arm = 'robotarm_1';
const chord = 'Control+Shift+KeyX';

interface Overlay {
  readonly what: string;
  readonly path: string;
  /** Opens it. @returns what must still be visible after the stop */
  readonly open: (page: Page, url: string) => Promise<Locator>;
}

const overlays: readonly Overlay[] = [
  {
    what: 'a question about one node',
    path: 'workcells',
    open: async (page) => {
      await pressCommand(page, arm, commands.asking(commands.verbs.shutdown));
      return page.getByRole('alertdialog');
    },
  },
  {
    what: 'a form with typed text',
    path: 'workcells',
    open: async (page) => {
      await page.getByRole('button', { name: workcellTexts.add.open }).click();
      await page.getByLabel(workcellTexts.add.name).fill('new_arm');
      return page.getByRole('dialog', { name: workcellTexts.add.title });
    },
  },
  {
    what: 'a question about all nodes',
    path: 'workcells',
    open: async (page) => {
      await page.getByRole('button', { name: commands.all.verbs.lock }).click();
      return page.getByRole('alertdialog');
    },
  },
  {
    what: 'a form of a resource',
    path: 'resources',
    open: async (page) => {
      await page.getByRole('button', { name: resourcesTexts.add }).first().click();
      return page.getByRole('dialog');
    },
  },
  {
    what: 'the palette',
    path: '',
    open: async (page) => {
      await page.keyboard.press('Control+KeyK');
      const field = page.getByRole('combobox', { name: paletteTexts.label });
      await field.fill('robot');
      return field;
    },
  },
  {
    what: 'the sheet of shortcuts',
    path: '',
    open: async (page) => {
      await page.getByRole('button', { name: appTexts.keys.button }).click();
      return page.getByRole('dialog', { name: appTexts.keys.title });
    },
  },
  { what: 'a menu', path: 'workcells', open: (page) => openMenu(page, arm) },
  {
    what: 'a list of choices',
    path: 'workcells',
    open: async (page) => {
      await page.getByRole('button', { name: workcellTexts.table }).click();
      const { columns, columnsFor } = componentTexts.table;
      await page.getByRole('button', { name: columns, exact: true }).first().click();
      return page.getByRole('dialog', { name: columnsFor(workcellTexts.caption) });
    },
  },
  {
    what: 'the panel beside a list',
    path: 'workcells',
    open: async (page) => {
      await card(page, arm).getByRole('link', { name: arm }).click();
      return page.getByRole('complementary', { name: arm });
    },
  },
  {
    what: 'the completion list of the editor',
    path: '',
    open: async (page, url) => {
      await openSubmit(page, url);
      await editor(page).press('Control+Space');
      await expect(offers(page).first()).toBeVisible();
      return editor(page);
    },
  },
];

/** Counts the commands that pages send to the arm, by way of the workcell manager. */
function countStops(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(`admin/safety_stop/${arm}`)) count += 1;
  });
  return () => count;
}

function isStopped({ lab }: Demo): boolean | undefined {
  return lab.nodes.find(({ name }) => name === arm)?.status().stopped;
}

async function knowsNodes(page: Page): Promise<void> {
  await page.waitForFunction((name) => localStorage.getItem('lab-manager.nodes')?.includes(name), arm);
}

for (const { what, path, open } of overlays) {
  test(`stops the lab at the first click, tap and key press above ${what}`, async ({ page, demo }) => {
    const started = await demo();
    const sent = countStops(page);
    await page.goto(new URL(path, started.url).href);
    await knowsNodes(page);
    const overlay = await open(page, started.url);
    await expect(overlay).toBeVisible();
    const fields = page.locator('[role="dialog"] input:not([type="checkbox"])');
    const typed = await fields.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));

    const button = page.getByRole('button', { name: texts.button, exact: true });
    const report = page.getByRole('region', { name: texts.title });
    const presses = [() => button.click(), () => button.tap(), () => page.keyboard.press(chord)];
    for (const [index, press] of presses.entries()) {
      await press();
      await expect(report).toBeFocused();
      await expect.poll(sent).toBe(index + 1);
      await expect.poll(() => isStopped(started)).toBe(true);
      // On top: what is drawn in the middle of the report belongs to it.
      const isOnTop = await report.evaluate((element) => {
        const { left, top, width } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + width / 2, top + 20));
      });
      expect(isOnTop).toBe(true);
      await expect(overlay).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(report).toHaveCount(0);
      await expect(overlay).toBeVisible();
    }
    expect(await fields.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))).toEqual(
      typed,
    );
  });
}

test('stops the lab from the wall screen, by button and by keyboard', async ({ page, demo }) => {
  const started = await demo();
  const sent = countStops(page);
  await page.goto(new URL('?kiosk', started.url).href);
  await knowsNodes(page);
  await page.getByRole('button', { name: texts.button, exact: true }).click();
  await expect.poll(() => isStopped(started)).toBe(true);
  await page.keyboard.press(chord);
  await expect.poll(sent).toBe(2);
});
