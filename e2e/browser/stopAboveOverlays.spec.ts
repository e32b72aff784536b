/** The safety stop is above every overlay: the first click, tap or key press stops the lab, and closes nothing. */
import type { Locator, Page } from 'playwright/test';
import { createClient } from '../../api/client/client.ts';
import { resourceApi } from '../../api/managers/resource.ts';
import { appTexts } from '../../dashboard/app/texts.ts';
import { componentTexts } from '../../dashboard/components/texts.ts';
import { nodeCommandTexts as commands } from '../../dashboard/managers/commands/nodeCommandTexts.ts';
import { nodeCommandTable } from '../../dashboard/managers/guards/nodeCommandTable.ts';
import { safetyStopTexts as texts } from '../../api/safetyStop/safetyStopTexts.ts';
import { recordsTexts } from '../../dashboard/managers/records/texts.ts';
import { eventsTexts } from '../../dashboard/panels/events/texts.ts';
import { resourcesTexts } from '../../dashboard/panels/resources/texts.ts';
import { workflowsTexts } from '../../dashboard/panels/workflows/texts.ts';
import { workcellTexts } from '../../dashboard/panels/workcells/texts.ts';
import { expect, test, type Demo } from '../support/demoLab.ts';
import { countSafetyStops } from '../support/countSafetyStops.ts';
import { card, openMenu, pressCommand } from '../support/browser/workcellsPage.ts';
import { editor, suggestions, openSubmit } from './workflows/submitPage.ts';
import { slowStep, submit } from './workflows/workflowsLab.ts';

test.use({ hasTouch: true });

/** A node with a safety stop. */
const arm = 'robotarm_1';
const chord = 'Control+Shift+KeyX';

interface Overlay {
  readonly what: string;
  readonly path: string;
  /** Opens the overlay. @returns the element that must still be visible after the stop */
  readonly open: (page: Page, demo: Demo) => Promise<Locator>;
  /**
   * Reopens before each press an overlay that is open only while hovered or focused. @returns the element that must be
   * visible at the press
   */
  readonly reopen?: (page: Page) => Promise<Locator>;
}

const overlays: readonly Overlay[] = [
  {
    what: 'a question about one node',
    path: 'workcells',
    open: async (page) => {
      await pressCommand(page, arm, commands.pending(nodeCommandTable.shutdown.verb));
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
      await page.getByRole('button', { name: nodeCommandTable.lock.toAll.verb }).click();
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
      const field = page.getByRole('combobox', { name: 'Search for pages, objects of the lab, IDs and commands' });
      await field.fill('robot');
      return field;
    },
  },
  {
    what: 'the sheet of shortcuts',
    path: '',
    open: async (page) => {
      await page.getByRole('button', { name: appTexts.help.button }).click();
      await page.getByRole('menuitem', { name: appTexts.keys.button }).click();
      return page.getByRole('dialog', { name: 'Keyboard' });
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
    open: async (page, { url }) => {
      await openSubmit(page, url);
      await editor(page).press('Control+Space');
      await expect(suggestions(page).first()).toBeVisible();
      return editor(page);
    },
  },
  {
    what: 'a list of values to filter by',
    path: 'workflows',
    open: async (page, { lab }) => {
      await submit(lab, 'Growth assay', [slowStep(1)]);
      const { list } = workflowsTexts;
      await page.getByRole('button', { name: list.node(list.anyNode) }).click();
      return page.getByRole('dialog', { name: list.nodeTitle });
    },
  },
  {
    what: 'a list below a field',
    path: 'events',
    open: async (page) => {
      await page.getByRole('button', { name: recordsTexts.addNote }).click();
      return page.getByRole('dialog');
    },
    reopen: async (page) => {
      await page.getByRole('dialog').getByRole('combobox').first().click();
      return page.getByRole('listbox');
    },
  },
  {
    what: 'a native select',
    path: 'events',
    open: async (page) => page.getByLabel(eventsTexts.level, { exact: true }),
    reopen: async (page) => {
      const select = page.getByLabel(eventsTexts.level, { exact: true });
      await select.focus();
      return select;
    },
  },
  {
    what: 'the question whether a changed amount is overwritten',
    path: '',
    open: async (page, { lab, url }) => {
      const baseUrl = lab.context.resource_server_url;
      const resources = createClient(resourceApi, { baseUrl, version: null });
      const { resource_id: id } = await resources.addResource({
        body: { base_type: 'discrete_consumable', resource_name: 'Tips', quantity: 38, capacity: 1000 },
      });
      await page.goto(new URL(`resources/${id}`, url).href);
      const operation = resourcesTexts.operations;
      await page.getByRole('button', { name: operation.quantity, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(operation.amountField, { exact: true }).fill('138');
      await resources.setQuantity({ resource_id: id, quantity: 900 });
      await dialog.getByRole('button', { name: operation.save, exact: true }).click();
      return page.getByText('This has changed since it was shown:');
    },
  },
  tooltip('history'),
  tooltip('history?kiosk'),
];

/** The tooltip closes when the pointer leaves, so it is reopened before each press. */
function tooltip(path: string): Overlay {
  const strip = (page: Page): Locator => page.getByRole('main').getByRole('slider').first();
  return {
    what: `a tooltip${path.endsWith('?kiosk') ? ' of the wall screen' : ''}`,
    path,
    open: async (page) => strip(page),
    reopen: async (page) => {
      await page.mouse.move(0, 0);
      await strip(page).hover();
      return page.getByRole('tooltip');
    },
  };
}

async function waitForNodes(page: Page): Promise<void> {
  await page.waitForFunction((name) => localStorage.getItem('lab-manager.nodes')?.includes(name), arm);
}

for (const { what, path, open, reopen } of overlays) {
  test(`the first click, tap and key press stop the lab above ${what}`, async ({ page, demo }) => {
    const started = await demo();
    await page.goto(new URL(path, started.url).href);
    await waitForNodes(page);
    const overlay = await open(page, started);
    await expect(overlay).toBeVisible();
    const fields = page.locator('[role="dialog"] input:not([type="checkbox"])');
    const fieldValues = await fields.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));

    const button = page.getByRole('button', { name: texts.button, exact: true });
    const report = page.getByRole('region', { name: texts.title });
    const presses = [() => button.click(), () => button.tap(), () => page.keyboard.press(chord)];
    for (const press of presses) {
      const stopsBefore = countSafetyStops(started.lab, arm);
      if (reopen !== undefined) await expect(await reopen(page)).toBeVisible();
      await press();
      await expect(report).toBeFocused();
      // The stop is sent again to a node that has not confirmed in time.
      await expect.poll(() => countSafetyStops(started.lab, arm)).toBeGreaterThan(stopsBefore);
      // The topmost element in the middle of the report belongs to the report.
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
      fieldValues,
    );
  });
}

test('click, tap and key press stop the lab from the wall screen', async ({ page, demo }) => {
  const started = await demo();
  await page.goto(new URL('?kiosk', started.url).href);
  await waitForNodes(page);
  const button = page.getByRole('button', { name: texts.button, exact: true });
  const presses = [() => button.click(), () => button.tap(), () => page.keyboard.press(chord)];
  for (const press of presses) {
    const stopsBefore = countSafetyStops(started.lab, arm);
    await press();
    // The stop is sent again to a node that has not confirmed in time.
    await expect.poll(() => countSafetyStops(started.lab, arm)).toBeGreaterThan(stopsBefore);
  }
});
