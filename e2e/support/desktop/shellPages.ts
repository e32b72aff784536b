/** The shell's own pages in a browser, on a shell that is played: they show a state, and what they ask is kept. */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Page } from 'playwright';
import type { PageCommand } from '../../../electron/ipc/commands.ts';
import type { RecentLab, ShellAnswer, ShellState } from '../../../electron/ipc/contract.ts';
import { repository } from '../service.ts';
import { playLab, type Answer } from './shellAnswers.ts';

/** As loopback has it, so that a guard takes it for this machine; nobody is asked there. */
const origin = 'http://localhost:1';
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

export interface PlayedShell {
  /** What the page asked since it was opened, but for its state and the labs of before. */
  readonly asked: readonly PageCommand[];
  /** Shows another state. */
  show(state: ShellState): Promise<void>;
}

/** Pages that ask for what they show, and what is there when they know it. */
const pagesByQuestion: ReadonlyMap<string, string> = new Map([
  ['settings', '#start-at-login'],
  ['diagnostics', '.checks li'],
]);

/** Goes with the page. */
async function playedLab(page: Page): Promise<Answer> {
  const { answer, remove } = await playLab();
  page.once('close', () => void remove());
  return answer;
}

/** Asked by every page that has the field for another lab manager. */
const recentLabs: readonly RecentLab[] = [
  { url: 'http://lab-pc.crystallography.example.org:8000/', name: 'Protein Crystallography' },
  { url: 'http://127.0.0.1:9000/', name: null },
];

const done: ShellAnswer = { ok: true, value: null };

/**
 * Opens the built pages in `page`.
 * @param answer what the shell answers; else what a lab's settings are, or it has done what was asked for
 */
export async function openShellPage(page: Page, state: ShellState, answer?: Answer): Promise<PlayedShell> {
  const requests: PageCommand[] = [];
  const answered = answer ?? (pagesByQuestion.has(state.page.page) ? await playedLab(page) : () => done);
  await page.exposeFunction('askPlayedShell', async (request: PageCommand): Promise<ShellAnswer> => {
    if (request.command === 'state') return { ok: true, value: state };
    if (request.command === 'recent-labs') return { ok: true, value: recentLabs };
    requests.push(request);
    return answered(request);
  });
  // As text, because a function would come with names that its compiler gave it.
  await page.addInitScript({
    content: `{
      const listeners = [];
      window.showPlayedState = (state) => listeners.forEach((listener) => listener(state));
      window.labManagerShell = {
        ask: (request) => window.askPlayedShell(JSON.parse(JSON.stringify(request))),
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
  const known = pagesByQuestion.get(state.page.page);
  if (known !== undefined) await page.locator(known).first().waitFor();
  await page.evaluate(async () => void (await document.fonts.ready));
  return {
    asked: requests,
    show: (next) =>
      page.evaluate((shown) => {
        (window as unknown as { showPlayedState: (state: unknown) => void }).showPlayedState(shown);
      }, next),
  };
}
