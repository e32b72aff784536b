/**
 * `npm run screenshots`: takes the documentation's pictures of the dashboard, on a demo lab after an afternoon's work
 * in which a manager went down and a node broke, and of the app's own pages. `npm run screenshots -- all`: every page
 * in every size and theme, into `out/screenshots`, for review. The name of a page selects only its pictures, `shell`
 * those of the app's own pages, and `tray` those of the app's icon in desktop panels, which need the packaged app in
 * `LAB_MANAGER_APP`.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright';
import { createClient } from '../api/client/client.ts';
import { experimentApi } from '../api/managers/experiment.ts';
import { locationApi } from '../api/managers/location.ts';
import { resourceApi } from '../api/managers/resource.ts';
import { workcellApi } from '../api/managers/workcell.ts';
import { experimentId } from '../dashboard/managers/experiment/experimentState.ts';
import type { DemoLab } from '../demo/lab/lab.ts';
import { chromiumOptions } from './support/browser/chromium.ts';
import { repository } from './support/service.ts';
import { startTimeLapseLab, type TimeLapseLab } from './support/browser/fakeClock.ts';
import { captureShellPages } from './support/desktop/shellPictures.ts';
import { captureTray, isTrayPicture } from './support/desktop/trayPictures.ts';

const seed = 3;
const begin = Date.UTC(2026, 10, 21, 11, 55);
const minute = 60_000;

const sizes = {
  laptop: { viewport: { width: 1280, height: 800 } },
  desktop: { viewport: { width: 1920, height: 1080 } },
  tablet: { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true },
  kiosk: { viewport: { width: 1920, height: 1080 } },
} as const;
type Size = keyof typeof sizes;
type Theme = 'light' | 'dark';

/** IDs of the objects whose pages are shown in the pictures. */
interface ShownIds {
  readonly running: string;
  readonly failed: string;
  readonly plate: string;
  readonly location: string;
  readonly experiment: string;
}

interface Picture {
  readonly path: string;
  /** Runs on the page before the picture is taken. */
  readonly interact?: (page: Page) => Promise<void>;
  /** The sizes of the documentation's pictures, each with its theme. */
  readonly pictures: Partial<Record<Size, Theme>>;
}

function listPictures({ running, failed, plate, location, experiment }: ShownIds): Readonly<Record<string, Picture>> {
  return {
    overview: { path: '', pictures: { laptop: 'light', desktop: 'dark', tablet: 'light', kiosk: 'light' } },
    timeline: { path: 'timeline?span=8h', pictures: { laptop: 'dark', desktop: 'light', kiosk: 'light' } },
    workcells: { path: 'workcells', pictures: { laptop: 'light', desktop: 'dark', tablet: 'dark', kiosk: 'dark' } },
    node: { path: 'workcells/nodes/liquidhandler_1', pictures: { laptop: 'light', desktop: 'light', tablet: 'light' } },
    workflows: { path: 'workflows', pictures: { laptop: 'light', desktop: 'light', tablet: 'light', kiosk: 'light' } },
    'workflow-running': { path: `workflows/${running}`, pictures: { laptop: 'dark', desktop: 'light' } },
    'workflow-failed': { path: `workflows/${failed}`, pictures: { laptop: 'light', tablet: 'light' } },
    submit: {
      path: `workflows/submit?from=${running}`,
      pictures: { laptop: 'light', desktop: 'dark', tablet: 'light' },
    },
    resources: { path: 'resources', pictures: { laptop: 'light', desktop: 'dark', tablet: 'light' } },
    plate: { path: `resources/${plate}`, pictures: { laptop: 'light', desktop: 'dark', tablet: 'light' } },
    locations: { path: 'locations', pictures: { laptop: 'light', tablet: 'dark' } },
    location: { path: `locations/${location}`, pictures: { laptop: 'light' } },
    'transfer-graph': { path: 'locations?as=graph', pictures: { laptop: 'light', desktop: 'dark' } },
    experiments: { path: 'experiments?as=campaigns', pictures: { laptop: 'light' } },
    experiment: { path: `experiments/${experiment}`, pictures: { laptop: 'light', desktop: 'dark', tablet: 'light' } },
    events: { path: 'events', pictures: { laptop: 'light', desktop: 'dark', tablet: 'light' } },
    lab: { path: 'lab', pictures: { laptop: 'light' } },
    palette: { path: 'workcells', interact: openPalette, pictures: { laptop: 'dark' } },
    // Last, because it stops the lab.
    'safety-stop': { path: 'workcells', interact: pressStop, pictures: { laptop: 'light' } },
  };
}

const shake = { name: 'Incubate and shake', node: 'advanced_example_node', action: 'slow', args: { seconds: 3600 } };
const prime = (node: string) => ({ name: `Prime ${node}`, node, action: 'run_command', args: { command: 'prime' } });
const home = { name: 'Home the arm', node: 'robotarm_1', action: 'home' };
/** A long workflow that is half done, one that waits for its node, and one whose node is broken. */
const submittedWorkflows = [
  {
    name: 'Growth assay, plate 14',
    definition_metadata: { author: 'yeast screen', description: 'OD600 over a night' },
    steps: [home, prime('liquidhandler_1'), prime('liquidhandler_2'), shake, prime('liquidhandler_1'), home],
  },
  { name: 'Growth assay, plate 15', definition_metadata: { author: 'yeast screen' }, steps: [home, shake] },
  {
    name: 'Read calibration plate',
    definition_metadata: { author: 'operator' },
    steps: [{ name: 'Read', node: 'platereader_1', action: 'read_well', args: { well: 'A1' } }],
  },
];

const [selection = ''] = process.argv.slice(2);
const includesAll = selection === 'all';
const folder = join(repository, includesAll ? 'out/screenshots' : 'docs/screenshots');

if (selection === 'shell') {
  await captureShellPages(folder, false);
  process.exit(0);
}
if (selection === 'tray') {
  await captureTray(folder);
  process.exit(0);
}
const timeLapse = await startTimeLapseLab(seed, begin);
const browser = await chromium.launch(chromiumOptions);
try {
  await spendAfternoon(timeLapse);
  timeLapse.runInRealTime();
  const pictures = listPictures(await findShownIds(timeLapse));
  await mkdir(folder, { recursive: true });
  const isSinglePage = selection in pictures;
  if (selection !== '' && !includesAll && !isSinglePage)
    throw new Error(`There is no page ${selection} among ${Object.keys(pictures).join(', ')}`);
  const old = isSinglePage ? [] : await readdir(folder);
  for (const name of old) if (name.endsWith('.png') && !isTrayPicture(name)) await rm(join(folder, name));
  for (const [name, picture] of Object.entries(pictures)) {
    if (isSinglePage && name !== selection) continue;
    for (const size of Object.keys(sizes) as Size[]) {
      const themes = includesAll
        ? (['light', 'dark'] as const)
        : [picture.pictures[size]].filter((theme) => theme !== undefined);
      for (const theme of themes) await capture(browser, timeLapse, name, picture, size, theme);
    }
  }
} finally {
  await browser.close();
  await timeLapse.stop();
}
if (selection === '' || includesAll) await captureShellPages(folder, includesAll);

/** Simulates two hours of work, with a short outage; towards the end a node breaks and a manager goes down. */
async function spendAfternoon({ lab, advance }: TimeLapseLab): Promise<void> {
  await advance(40 * minute);
  await lab.faults.setManager('resource', { kind: 'down' });
  await advance(2 * minute);
  await lab.faults.setManager('resource', null);
  await advance(72 * minute);
  await post(`${lab.controlUrl}demo/simulation`, { running: false });
  await advance(minute);
  await lab.faults.setNode('platereader_1', 'errored');
  for (const definition of submittedWorkflows) {
    await submit(lab, definition);
    await advance(minute);
  }
  await lab.faults.setManager('data', { kind: 'down' });
  await advance(3 * minute);
}

async function submit({ context }: DemoLab, definition: object): Promise<void> {
  const id = (await (await post(`${context.workcell_server_url}workflow_definition`, definition)).json()) as string;
  const body = new URLSearchParams({ workflow_definition_id: id });
  const response = await fetch(`${context.workcell_server_url}workflow`, { method: 'POST', body });
  if (!response.ok) throw new Error(`The demo lab refused a workflow: ${await response.text()}`);
}

async function post(url: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status} ${await response.text()}`);
  return response;
}

/**
 * Returns the IDs of a running workflow (else of a waiting or archived one), the newest failed one, a plate, a location
 * and an experiment.
 */
async function findShownIds({ lab }: TimeLapseLab): Promise<ShownIds> {
  const client = createClient(workcellApi, { baseUrl: lab.context.workcell_server_url });
  const active = Object.values(await client.getActiveWorkflows());
  const archived = Object.values(await client.getArchivedWorkflows({ number: 200 }));
  const running = active.toSorted((a, b) => Number(b.status.running) - Number(a.status.running))[0] ?? archived[0];
  const failed = archived.find(({ status }) => status.failed);
  if (running === undefined || failed === undefined) throw new Error('The lab has no workflow to show');
  const resources = createClient(resourceApi, { baseUrl: lab.context.resource_server_url });
  const [plate] = await resources.queryResources({ body: { resource_name: 'plate_101' } });
  const locations = createClient(locationApi, { baseUrl: lab.context.location_server_url });
  const deck = (await locations.getLocations()).find(({ location_name: name }) => name === 'liquidhandler_1.deck_1');
  const experiments = createClient(experimentApi, { baseUrl: lab.context.experiment_server_url });
  const completed = (await experiments.getExperiments({ number: 0 })).find(({ status }) => status === 'completed');
  if (plate === undefined || deck === undefined) throw new Error('The lab lacks plate_101 or its location');
  if (completed === undefined) throw new Error('The lab has completed no experiment');
  return {
    running: running.workflow_id,
    failed: failed.workflow_id,
    plate: plate.resource_id,
    location: deck.location_id,
    experiment: experimentId(completed),
  };
}

async function capture(
  chromiumBrowser: Browser,
  { url, getOffsetMs }: TimeLapseLab,
  name: string,
  { path, interact }: Picture,
  size: Size,
  theme: Theme,
): Promise<void> {
  const context = await chromiumBrowser.newContext({
    ...sizes[size],
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: process.env['TZ'] ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  const page = await context.newPage();
  await page.addInitScript({ content: shiftTime(getOffsetMs()) });
  await page.goto(`${url}${path}${size === 'kiosk' ? `${path.includes('?') ? '&' : '?'}kiosk` : ''}`);
  await waitUntilSettled(page);
  if (interact !== undefined && size !== 'kiosk') {
    await interact(page);
    await waitUntilSettled(page);
  }
  await page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`) });
  await context.close();
}

/**
 * Returns a script that runs in the page before the page's own scripts, and shifts its clock. Playwright's clock would
 * use this process's replaced time. The script is a string, because the compiler adds calls of its own helpers to
 * functions.
 */
function shiftTime(ms: number): string {
  return `{
    const RealDate = Date;
    const now = () => RealDate.now() + ${Math.round(ms)};
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
      get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    });
  }`;
}

/** Waits until the page has loaded: its text, apart from digits, is unchanged for a second. */
async function waitUntilSettled(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  const readText = () => page.evaluate(() => document.body.textContent.replace(/\d/g, ''));
  let before = '';
  for (let unchangedReads = 0, reads = 0; unchangedReads < 4 && reads < 40; reads += 1) {
    await sleep(250);
    const next = await readText();
    unchangedReads = next === before ? unchangedReads + 1 : 0;
    before = next;
  }
  await page.evaluate(async () => void (await document.fonts.ready));
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+KeyK');
  await page.getByRole('dialog').getByRole('combobox').fill('liq');
}

async function pressStop(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Safety stop' }).click();
  await page.getByRole('region', { name: 'Safety stop' }).waitFor();
}
