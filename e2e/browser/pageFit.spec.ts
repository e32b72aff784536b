/** Every page fits a laptop, a tablet and a phone, and shows the age of its data once. */
import type { Page } from 'playwright/test';
import { expect, test } from '../support/demoLab.ts';
import { appTexts } from '../../dashboard/app/texts.ts';
import { feedbackTexts } from '../../dashboard/components/texts.ts';

const subpages = [
  'history',
  'workcells/nodes/liquidhandler_1',
  'workflows/submit',
  'resources/import',
  'resources/templates',
  'locations/plan',
  'locations/templates',
  'events/utilization',
];

/**
 * Returns the regions that scroll sideways. The bar of panels and the sort order are not checked: on a phone they may
 * scroll.
 */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const parts = [document.documentElement, ...document.querySelectorAll('main, .objects .region')];
    return parts
      .filter(({ clientWidth, scrollWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
      .map(
        (part) =>
          `${part.tagName} ${part.getAttribute('aria-label') ?? ''}: ${part.scrollWidth} in ${part.clientWidth} px`,
      );
  });

for (const [name, viewport] of [
  ['a laptop', { width: 1280, height: 800 }],
  ['a tablet', { width: 768, height: 1024 }],
  ['a phone', { width: 360, height: 740 }],
] as const)
  test(`every page fits ${name} and shows the age of its data once`, async ({ page, demo }) => {
    const { lab, url } = await demo({ past: true });
    await page.setViewportSize(viewport);
    await page.goto(url);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const panels = await page
      .getByRole('navigation', { name: appTexts.app.panels })
      .locator('a')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    expect(panels.length).toBeGreaterThan(1);
    const resources = await fetch(`${lab.context.resource_server_url}resource/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resource_name: 'plate_101_A1', multiple: true }),
    });
    const [well] = (await resources.json()) as { resource_id: string }[];
    const extreme = await fetch(`${lab.context.resource_server_url}resource/add`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        base_type: 'continuous_consumable',
        resource_name: 'extreme',
        resource_class: 'c'.repeat(300),
        quantity: 1e15,
        capacity: 1e15,
      }),
    });
    const { resource_id: extremeId } = (await extreme.json()) as { resource_id: string };
    for (const path of [...panels, ...subpages, `resources/${well?.resource_id}`, `resources/${extremeId}`]) {
      await page.goto(new URL(path, url).href);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText(new RegExp(`^${feedbackTexts.age.updated} `)).filter({ visible: true })).toHaveCount(
        1,
      );
      await expect.poll(() => cutOff(page), path).toEqual([]);
    }
  });
