/**
 * Opens the shell's own pages in a browser with a simulated shell, which sets their state and records their requests.
 */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Page } from 'playwright';
import type { PageCommand } from '#electron/ipc/commands.ts';
import type { FolderListing, LabFolder } from '#api/labFolders.ts';
import type { ChosenLab, NearbyLabs, ShellResponse, ShellState } from '#electron/ipc/contract.ts';
import { repository } from '../service.ts';
import { createFakeLab, type Respond } from './shellResponses.ts';

/** A loopback address, so that the guard accepts it as this machine; no request is sent to it. */
const origin = 'http://localhost:1';
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

export interface SimulatedShell {
  /** The page's requests, except those for its content. */
  readonly requests: readonly PageCommand[];
  show(state: ShellState): Promise<void>;
}

/** For each page that requests its content, the selector of an element that exists once the content has arrived. */
const readySelectors: ReadonlyMap<string, string> = new Map([
  ['settings', '#start-at-login'],
  ['diagnostics', '.checks li'],
]);

/** Returns the responses of a lab folder that is removed when the page closes. */
async function respondFromFakeLab(page: Page): Promise<Respond> {
  const { respond, remove } = await createFakeLab();
  page.once('close', () => void remove());
  return respond;
}

/** The response to `chosen-labs`, which every page with the field for another lab manager requests. */
const chosenLabs: readonly ChosenLab[] = [
  { url: 'http://lab-pc.crystallography.example.org:8000/', name: 'Protein Crystallography' },
  { url: 'http://127.0.0.1:9000/', name: null },
];

const nearbyLabs: NearbyLabs = {
  isOff: false,
  labs: [
    {
      url: 'http://10.0.4.17:8000/',
      name: 'Cell Culture',
      machine: 'culture-pc',
      state: 'healthy',
      reason: null,
      managers: { healthy: 6, total: 6 },
    },
    {
      url: 'http://10.0.4.21:8000/',
      name: 'Protein Crystallography and Sample Preparation (2)',
      machine: 'lab-pc',
      state: 'degraded',
      reason: 'Resource Manager: unreachable',
      managers: { healthy: 5, total: 6 },
    },
    {
      url: 'http://10.0.4.30:8010/',
      name: 'Workshop',
      machine: 'workshop',
      state: 'unreachable',
      reason: 'no answer within 5 s (10.0.4.30:8010)',
      managers: null,
    },
  ],
};

const labFolders: readonly LabFolder[] = [
  { path: '/home/labuser/labs/protein-crystallography/workcell-2', labName: 'Protein Crystallography' },
  { path: '/media/labuser/BACKUP/labs/cell-culture', labName: null },
];

const listing: FolderListing = {
  path: '/home/labuser/labs/protein-crystallography/workcell-2',
  parent: '/home/labuser/labs/protein-crystallography',
  folders: ['config', 'managers', 'workflow definitions of the crystallisation screen with a long name', 'workflows'],
  files: ['settings.yaml', '.env'],
  lab: { path: '/home/labuser/labs/protein-crystallography/workcell-2', labName: 'Protein Crystallography' },
};

const success: ShellResponse = { ok: true, value: null };

/**
 * Opens the page of `state` from the built shell.
 * @param respond the shell's responses; by default the settings of a lab, or success
 * @param nearby the labs on the network; without any, no lab was used before and none is on this machine
 */
export async function openShellPage(
  page: Page,
  state: ShellState,
  respond?: Respond,
  nearby = nearbyLabs,
): Promise<SimulatedShell> {
  const requests: PageCommand[] = [];
  const hasLabs = nearby.labs.length > 0;
  const respondTo = respond ?? (readySelectors.has(state.page.page) ? await respondFromFakeLab(page) : () => success);
  await page.exposeFunction('requestSimulatedShell', async (request: PageCommand): Promise<ShellResponse> => {
    if (request.command === 'state') return { ok: true, value: state };
    if (request.command === 'chosen-labs') return { ok: true, value: hasLabs ? chosenLabs : [] };
    if (request.command === 'nearby-labs') return { ok: true, value: nearby };
    if (request.command === 'lab-folders') return { ok: true, value: hasLabs ? labFolders : [] };
    if (request.command === 'list-folder') return { ok: true, value: listing };
    requests.push(request);
    return respondTo(request);
  });
  // A string, because the compiler adds helper names to functions. Requests are cloned as by the context bridge.
  await page.addInitScript({
    content: `{
      const listeners = [];
      window.showSimulatedState = (state) => listeners.forEach((listener) => listener(state));
      window.labManagerShell = {
        request: (command) => window.requestSimulatedShell(structuredClone(command)),
        onState: (listener) => listeners.push(listener),
      };
    }`,
  });
  await page.route(`${origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const body = await readFile(join(repository, 'dist/shell', pathname));
    await route.fulfill({ body, contentType: types[extname(pathname)] ?? 'application/octet-stream' });
  });
  await page.goto(`${origin}/index.html`);
  await page.locator('main.page').waitFor();
  const readySelector = readySelectors.get(state.page.page);
  if (readySelector !== undefined) await page.locator(readySelector).first().waitFor();
  await page.evaluate(async () => void (await document.fonts.ready));
  return {
    requests,
    show: (next) =>
      page.evaluate((nextState) => {
        (window as unknown as { showSimulatedState: (state: unknown) => void }).showSimulatedState(nextState);
      }, next),
  };
}
