/**
 * The timeline on a demo lab with a past: drawing, keyboard, filters, summary, export, and its state when managers
 * fail.
 */
import type { Download, Page } from 'playwright';
import { createClient } from '#api/client/client.ts';
import { eventApi } from '#api/managers/event.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import { stepAppearances } from '#api/states.ts';
import { formatManagerTime } from '#api/time/time.ts';
import { timelineTexts as texts } from '#dashboard/panels/timeline/texts.ts';
import { timelineTitle } from '#dashboard/panels/titles.ts';
import { violationsInBothThemes } from '../../support/browser/accessibility.ts';
import { feedbackTexts } from '#dashboard/components/texts.ts';
import { expect, test } from '../../support/demoLab.ts';
import { slowStep, submit } from '../workflows/workflowsLab.ts';

const drawing = (page: Page) => page.getByRole('group', { name: /^Timeline, / });
const table = (page: Page) => page.getByRole('grid', { name: 'Steps in the shown span' });
const lanes = (page: Page) => page.getByRole('region', { name: timelineTitle }).getByRole('listitem');
const spanButton = (page: Page, key: keyof typeof texts.spans) =>
  page.getByRole('button', { name: texts.spans[key], exact: true });
async function readText(download: Download): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString('latin1');
}
/** Counts the pixels of the drawing in a color. @param colorName of the CSS variable, without its leading hyphens */
async function countPixels(page: Page, colorName: string): Promise<number> {
  return page.locator('canvas').evaluate((canvas: HTMLCanvasElement, name) => {
    const style = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    const components = [1, 3, 5].map((start) => Number.parseInt(style.slice(start, start + 2), 16));
    // A copy, because Chromium warns about repeated reads of the canvas itself.
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy?.drawImage(canvas, 0, 0);
    const { data } = copy?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    let paintedPixels = 0;
    for (let offset = 0; offset < data.length; offset += 4)
      if (components.every((value, part) => Math.abs((data[offset + part] ?? 0) - value) < 3)) paintedPixels += 1;
    return paintedPixels;
  }, colorName);
}

test('the timeline draws every node, moves by keyboard, keeps its range in the address and opens a step', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo({ past: true });
  await page.goto(`${url}timeline?span=7d`);
  await expect(table(page).getByRole('row').nth(3)).toBeVisible();
  for (const node of lab.nodes) await expect(lanes(page).filter({ hasText: node.name })).toBeVisible();
  await expect.poll(() => countPixels(page, 'ok')).toBeGreaterThan(100);
  await expect(page.getByRole('status').filter({ hasText: texts.scope.whole(2).slice(0, 3) })).toBeVisible();
  expect.soft(await violationsInBothThemes(page)).toEqual([]);

  // The link in a row of the table opens a step of the past.
  const row = table(page).getByRole('row').nth(3);
  const link = row.getByRole('link').first();
  const address = (await link.getAttribute('href')) ?? '';
  await link.click();
  await expect(page).toHaveURL(new RegExp(`${address.split('/').at(-1)?.replace('?', '\\?') ?? ''}$`));
  const step = new URL(page.url()).searchParams.get('step');
  await expect(page.locator(`[data-step="${step}"]`)).toBeInViewport();
  await expect(page.locator(`[data-step="${step}"] button`).first()).toHaveAttribute('aria-expanded', 'true');

  await page.goBack();
  await expect(spanButton(page, '7d')).toHaveAttribute('aria-pressed', 'true');
  await expect(table(page).getByRole('row').nth(3)).toBeVisible();
  await drawing(page).focus();
  await page.keyboard.press('+');
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  const zoomedFrom = new URL(page.url()).searchParams.get('from') ?? '';
  await page.keyboard.press('ArrowLeft');
  await expect(page).not.toHaveURL(new RegExp(`from=${zoomedFrom}&`));
  const { searchParams } = new URL(page.url());
  expect(Number(searchParams.get('to')) - Number(searchParams.get('from'))).toBeCloseTo(3.5 * 86_400_000, -4);
  await page.reload();
  await expect(spanButton(page, '7d')).toHaveAttribute('aria-pressed', 'false');
  expect(new URL(page.url()).searchParams.get('from')).toBe(searchParams.get('from'));
  await expect(table(page).getByRole('row').nth(1)).toBeVisible();

  await drawing(page).focus();
  await page.keyboard.press('.');
  await expect(page.getByRole('tooltip')).toContainText(' · ');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/workflows\/[0-9A-Z]{26}\?step=\d+$/);
});

test('a click on a bar opens its step @fast', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await submit(lab, 'Long shake', [slowStep(3600, 'Shake')]);
  await page.goto(`${url}timeline?span=10m`);
  await expect(table(page).getByRole('row', { name: /Shake/ })).toContainText(stepAppearances.running.label, {});
  const lane = lanes(page).filter({ hasText: 'advanced_example_node' });
  const [box, canvas] = [await lane.boundingBox(), await page.locator('canvas').boundingBox()];
  if (box === null || canvas === null) throw new Error('nothing is drawn');
  // Just before the line of the present, in the middle of the lane.
  const x = canvas.x + canvas.width - 3;
  await page.mouse.move(x, box.y + box.height / 2);
  await expect(page.getByRole('tooltip')).toContainText('Shake · Long shake');
  await page.mouse.click(x, box.y + box.height / 2);
  await expect(page).toHaveURL(/\/workflows\/[0-9A-Z]{26}\?step=0$/);
});

test('the timeline shows the last night, is coloured and filtered by workflow, and is saved as CSV and PNG', async ({
  page,
  demo,
}) => {
  const { url } = await demo({ past: true });
  await page.goto(`${url}timeline`);
  await spanButton(page, 'night').click();
  await expect(page).toHaveURL(/span=night/);
  const summary = page.getByRole('status').filter({ hasText: texts.spans.night });
  await expect(summary).toContainText(/18:00 – .*08:00/);
  await expect(summary).toContainText(/workflows? completed|No workflow ended/);
  await spanButton(page, '30d').click();
  await expect(summary).toHaveCount(0);
  const colouring = page.getByRole('group', { name: texts.colouring });
  await colouring.getByRole('button', { name: texts.colourings.workflow }).click();
  const legend = page.getByRole('list', { name: 'Legend' });
  await expect(legend).toContainText('Spot check');
  await page.getByRole('combobox', { name: texts.filters.workflow }).selectOption({ index: 1 });
  await expect(page).toHaveURL(/workflow=/);
  const selectedWorkflow = new URL(page.url()).searchParams.get('workflow') ?? '';
  await expect(table(page).getByRole('row').nth(1)).toContainText(selectedWorkflow);
  expect.soft(await violationsInBothThemes(page)).toEqual([]);

  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /CSV/ }).click()]);
  const lines = (await readText(csv)).trim().split('\r\n');
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.slice(1).every((line) => line.includes(selectedWorkflow))).toBe(true);
  const [png] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as PNG' }).click(),
  ]);
  expect(png.suggestedFilename()).toMatch(/^timeline-\d{4}-\d\d-\d\d\.png$/);
  expect((await readText(png)).slice(1, 4)).toBe('PNG');
});

test('many errors are drawn as a group that zooms in, marks can be hidden, and errors of other workcells are excluded', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo({ past: true });
  const events = createClient(eventApi, { baseUrl: lab.context.event_server_url ?? '', version: null });
  const workcell = createClient(workcellApi, { baseUrl: lab.context.workcell_server_url ?? '', version: null });
  const { nodes } = await workcell.getState();
  const nodeId = nodes['robotarm_1']?.info?.node_id ?? '';
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  // Not close to a multiple of 15 min before their IDs, which would be read as the time zone of the host.
  const begin = Date.now() - (6 * 60 + 12.5) * 60_000;
  const addError = (index: number, node: string) =>
    events.addEvent({
      body: {
        event_type: 'node_error',
        log_level: 40,
        event_timestamp: formatManagerTime(new Date(begin + index * 5000), zone),
        source: { node_id: node },
        event_data: { message: 'Node exception' },
      },
    });
  for (let index = 0; index < 120; index += 1) await addError(index, nodeId);
  await addError(0, '01M7YE59T0JBZT1NBX03K1X8GB');
  await page.goto(`${url}timeline?span=24h`);
  await expect(page.getByRole('status').filter({ hasText: texts.summary.errors(120) })).toBeVisible({});
  await expect(page.getByText(texts.scope.foreign(1))).toBeVisible();
  // The steps of archived workflows are loaded, too.
  await expect(table(page).getByRole('row').nth(3)).toBeVisible();
  await page.getByRole('combobox', { name: texts.marks, exact: true }).selectOption({ label: texts.markFilters.none });
  await expect(page).toHaveURL(/marks=none/);
  let pixelsWithoutMarks = -1;
  await expect
    .poll(async () => {
      const previous = pixelsWithoutMarks;
      pixelsWithoutMarks = await countPixels(page, 'failed');
      return pixelsWithoutMarks === previous;
    })
    .toBe(true);
  await page
    .getByRole('combobox', { name: texts.marks, exact: true })
    .selectOption({ label: texts.markFilters.errors });
  await expect.poll(() => countPixels(page, 'failed')).toBeGreaterThan(pixelsWithoutMarks);

  // The mark of the group is at the upper edge of its node's lane.
  const box = await page.locator('canvas').boundingBox();
  const lane = await page.getByRole('listitem').filter({ hasText: 'robotarm_1' }).first().boundingBox();
  if (box === null || lane === null) throw new Error('The timeline is not drawn');
  // The middle of the ten minutes with errors.
  const x = box.x + box.width * (1 - (6 * 60 + 7.5) / (24 * 60));
  await page.mouse.move(x, lane.y + 8);
  // An earlier mark of the lab's past can include some of them in its group, so the count varies.
  await expect(page.getByRole('tooltip')).toContainText(/\b\d{2,3} errors/);
  await page.mouse.click(x, lane.y + 8);
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  const address = new URL(page.url()).searchParams;
  expect(Number(address.get('to')) - Number(address.get('from'))).toBeLessThan(3_600_000);
});

test('the wall screen shows the whole timeline and summarizes what does not fit', async ({ page, demo }) => {
  const { lab, url } = await demo({ past: true });
  await page.setViewportSize({ width: 1920, height: 1080 });
  const overflow = () => page.evaluate(() => (document.scrollingElement?.scrollHeight ?? 0) - innerHeight);
  await page.goto(`${url}timeline?span=7d&kiosk`);
  await expect.poll(() => countPixels(page, 'ok')).toBeGreaterThan(100);
  await expect.poll(overflow).toBe(0);
  for (const node of lab.nodes) await expect(lanes(page).filter({ hasText: node.name })).toBeInViewport();
  await fetch(`${lab.controlUrl}demo/scale`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nodes: 60 }),
  });
  const hiddenNodesHint = page.getByText(/more nodes, .* busy on average/);
  await expect(hiddenNodesHint).toBeInViewport();
  await expect.poll(overflow).toBe(0);
});

test('the timeline prints on one landscape sheet', async ({ page, demo }) => {
  const { url } = await demo({ past: true });
  await page.goto(`${url}timeline?span=7d`);
  await expect.poll(() => countPixels(page, 'ok')).toBeGreaterThan(100);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(table(page)).toBeHidden();
  await expect(drawing(page)).toBeVisible();
  await expect(page.getByText('Saved ')).toContainText(/UTC.*Saved \d/);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  const [, width, height] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
  expect(Number(width)).toBeGreaterThan(Number(height));
});

test('the timeline of an empty lab shows that it is empty and links to the submit page', async ({ page, demo }) => {
  const { url } = await demo();
  await page.goto(`${url}timeline`);
  await expect(page.getByText('The workcell manager lists no workflows.')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Submit a workflow' }).click();
  await expect(page).toHaveURL(/workflows\/submit/);
});

test('the timeline shows an error and a lock of a node, and marks its data as last known while requests are limited', async ({
  page,
  guard,
  demo,
}) => {
  guard.expected.push(/ERR_CONNECTION_REFUSED|429/);
  const { lab, url } = await demo({ past: true });
  lab.nodes.find(({ name }) => name === 'robotarm_1')?.command('lock');
  await lab.faults.setNode('liquidhandler_1', 'errored');
  await page.goto(`${url}timeline?span=1h`);
  await expect(page.getByRole('status').filter({ hasText: texts.summary.errors(1) })).toBeVisible();
  await expect.poll(() => countPixels(page, 'held')).toBeGreaterThan(10);
  await page.goto(`${url}timeline?span=7d`);
  await expect(table(page).getByRole('row').nth(3)).toBeVisible();
  await lab.faults.setManager('workcell', { kind: 'limit429' });
  await expect(page.getByText(feedbackTexts.stale.lastKnown)).toBeVisible();
  // Data that was already read stays visible.
  await expect(table(page).getByRole('row').nth(3)).toBeVisible();
  await lab.faults.setManager('workcell', null);
  await expect(page.getByText(feedbackTexts.stale.lastKnown)).toBeHidden();
});
