/**
 * The transfer graph on the demo lab: same search and selection as the table, keyboard, stable positions; and the
 * planner.
 */
import { createClient } from '#api/client/client.ts';
import { locationApi } from '#api/managers/location.ts';
import { submitTexts } from '#dashboard/panels/workflows/submit/texts.ts';
import { graphTexts, locationsTexts } from '#dashboard/panels/locations/texts.ts';
import type { DemoLab } from '#demo/lab/lab.ts';
import { violationsInBothThemes } from '../../support/browser/accessibility.ts';
import { expect, test } from '../../support/demoLab.ts';

const locationClient = ({ context }: DemoLab) =>
  createClient(locationApi, { baseUrl: context.location_server_url ?? '', version: null });

test('the transfer graph draws the routes and supports search, selection and keyboard like the table', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  await page.goto(`${url}locations`);
  await page.getByRole('button', { name: 'Graph', exact: true }).click();
  await expect(page).toHaveURL(/as=graph/);
  const graph = page.getByRole('region', { name: graphTexts.caption });
  const place = (name: string) => graph.locator('.location').filter({ hasText: name });
  await expect(graph.getByRole('link', { name: 'robotarm_1', exact: true })).toBeVisible();
  await expect(place('liquidhandler_1.deck_1')).toContainText('plate_101');
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  const nodeTransform = async (name: string) =>
    place(name).evaluate((card) => card.closest<HTMLElement>('.vue-flow__node')?.style.transform);
  const transformBefore = await nodeTransform('storage_rack');

  await place('liquidhandler_1.deck_1').getByRole('link').focus();
  await expect(place('liquidhandler_1.deck_2')).toContainText('by liquidhandler_1');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await expect(place('liquidhandler_1.deck_1').getByRole('link')).not.toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByText('2 rows selected')).toBeVisible();

  // A new location is placed in a free position and moves no other one.
  await locationClient(lab).addLocation({ body: { location_name: 'new_nest', representations: { robotarm_1: {} } } });
  await page.reload();
  await expect(place('new_nest')).toBeVisible();
  expect(await nodeTransform('storage_rack')).toBe(transformBefore);

  await page.getByRole('searchbox').fill('storage');
  await expect(place('storage_rack')).toBeVisible();
  await expect(graph.locator('.location')).toHaveCount(1);
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await expect(page.getByRole('grid', { name: locationsTexts.caption }).getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Graph', exact: true }).click();
  await place('storage_rack').getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'storage_rack' })).toBeVisible();
});

test('the transfer graph stays smooth with 200 locations', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const body = Array.from({ length: 190 }, (_, index) => ({
    location_name: `hotel_${index}`,
    representations: index % 2 === 0 ? { robotarm_1: { index } } : { liquidhandler_2: { index } },
  }));
  await locationClient(lab).importLocations({ body });
  await page.goto(`${url}locations?as=graph`);
  const graph = page.getByRole('region', { name: graphTexts.caption });
  await expect(graph.locator('.location')).toHaveCount(200);
  // Measures the median frame interval while panning, which changes a single transform.
  const box = await graph.boundingBox();
  if (box === null) throw new Error('The graph has no bounding box');
  const medianInterval = page.evaluate(async () => {
    const gaps: number[] = [];
    let last = performance.now();
    while (gaps.length < 40) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      gaps.push(performance.now() - last);
      last = performance.now();
    }
    return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  });
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  for (let step = 1; step <= 20; step += 1) await page.mouse.move(box.x + 20 + step * 10, box.y + 20 + step * 3);
  await page.mouse.up();
  // The median, because a runner with two cores drops some frames itself.
  expect(await medianInterval).toBeLessThan(50);
});

test('the transfer graph draws text at 11 px or larger at every zoom', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const body = Array.from({ length: 90 }, (_, index) => ({
    location_name: `hotel_${index}`,
    representations: { robotarm_1: { index } },
  }));
  await locationClient(lab).importLocations({ body });
  await page.goto(`${url}locations?as=graph`);
  const graph = page.getByRole('region', { name: graphTexts.caption });
  await expect(graph.locator('.location')).toHaveCount(100);
  const smallestText = () =>
    graph.evaluate((region) => {
      const pane = region.querySelector('.vue-flow__transformationpane');
      const { a: zoom } = new DOMMatrix(pane === null ? undefined : getComputedStyle(pane).transform);
      const drawn = [...region.querySelectorAll('.labels > *')].filter((text) => text.getClientRects().length > 0);
      return Math.min(...drawn.map((text) => Number.parseFloat(getComputedStyle(text).fontSize) * zoom));
    });
  await expect.poll(smallestText).toBeGreaterThan(10.99);
  for (let press = 0; press < 4; press += 1) {
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(smallestText).toBeGreaterThan(10.99);
  }
});

test('a planned transfer opens in the submit page, and an impossible one shows what is missing', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const manager = locationClient(lab);
  const { location_id: unreachable } = await manager.addLocation({ body: { location_name: 'unreachable_shelf' } });
  const { location_id: from } = await manager.findLocation({ name: 'liquidhandler_1.deck_2' });
  const { location_id: to } = await manager.findLocation({ name: 'platereader_1.plate_carriage' });
  await page.goto(`${url}locations/plan?from=${from}&to=${unreachable}`);
  const otherLocation = 'liquidhandler_1.deck_2';
  const hint = locationsTexts.planner.missing({
    node: 'liquidhandler_1',
    location: 'unreachable_shelf',
    otherLocation,
  });
  await expect(page.getByRole('list', { name: locationsTexts.planner.hints })).toContainText(hint);
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  await page.goto(`${url}locations/plan?from=${from}&to=${to}`);
  await expect(page.getByRole('list', { name: locationsTexts.planner.steps }).getByRole('listitem')).toHaveCount(2);
  await page.getByRole('button', { name: 'Open in the submit page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: submitTexts.title })).toBeVisible();
  const names = `the transfer planner: ${otherLocation} to platereader_1.plate_carriage`;
  await expect(page.getByText(`From ${names}. Nothing is sent before you submit it.`)).toBeVisible();
  await expect(page.locator('.cm-content')).toContainText('platereader_1.plate_carriage');
});
