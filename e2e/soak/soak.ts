/** Runs the demo lab under load, with pages of the dashboard in a real browser, and says what they said wrongly. */
import { chromium } from 'playwright';
import { settingsLines, startDemoLab } from '../../demo/lab.ts';
import { chromiumOptions } from '../support/browser/chromium.ts';
import { startService } from '../support/service.ts';
import { DemoLoad } from './demoLoad.ts';
import { Watch, type Watched } from './watch.ts';
import type { Contradiction } from './truth.ts';

export interface SoakOptions {
  readonly minutes: number;
  readonly workflows: number;
  readonly steps: number;
  readonly log?: (line: string) => void;
}

export interface SoakResult {
  readonly contradictions: readonly Contradiction[];
  /** How many sentences were compared. */
  readonly sentences: number;
}

/** Steps start soon after each other, so that much moves; the pages read at their own pace. */
const timing = { tick: 250, poll: 500, info: 10_000, reconnect: 3000 } as const;
const noteMs = 40;
const lookMs = 400;
const mischiefMs = 4000;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function soak({ minutes, workflows, steps, log = () => undefined }: SoakOptions): Promise<SoakResult> {
  const lab = await startDemoLab({ living: false, past: false, timing });
  const service = await startService({ dashboard: 'built', files: { 'settings.yaml': settingsLines(lab) } });
  const browser = await chromium.launch(chromiumOptions);
  const load = new DemoLoad(lab, steps);
  const watch = new Watch();
  const noting = setInterval(() => watch.note(load.answers(), Date.now()), noteMs);
  try {
    const ids: string[] = [];
    for (let count = 0; count < workflows; count += 1) ids.push(await load.submit());
    const context = await browser.newContext({ viewport: { width: 1440, height: 2000 } });
    // tsx names the functions that it hands to the page by this one.
    await context.addInitScript({ content: 'globalThis.__name = (value) => value;' });
    const open = async (name: string, path: string): Promise<Watched> => {
      const page = await context.newPage();
      watch.follow({ name, page });
      await page.goto(new URL(path, service.url).href);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return { name, page };
    };
    const pages = [
      await open('Overview', ''),
      await open('Workcells', 'workcells'),
      await open('Workflows', 'workflows'),
      await open('Workflow', `workflows/${ids[0] ?? ''}`),
    ];
    const end = Date.now() + minutes * 60_000;
    const mischief = (async () => {
      for (let turn = 0; Date.now() < end; turn += 1) {
        // What is refused because its workflow has just gone on is no matter.
        await load.mischief(turn, mischiefMs, pause).catch((error: unknown) => log(`mischief: ${String(error)}`));
        await pause(mischiefMs);
      }
    })();
    for (let told = Date.now(); Date.now() < end;) {
      await Promise.all(pages.map((watched) => watch.look(watched)));
      if (Date.now() - told > 30_000) {
        told = Date.now();
        const slowest = `slowest answer ${Math.round(watch.slowestMs)} ms`;
        log(`${watch.sentences} sentences, ${watch.contradictions.length} contradictions, ${slowest}`);
      }
      await pause(lookMs);
    }
    await mischief;
    return { contradictions: watch.contradictions, sentences: watch.sentences };
  } finally {
    clearInterval(noting);
    await browser.close();
    await service.stop();
    await lab.stop();
  }
}

/** The contradictions in lines, the same ones once with their count. */
export function tell(contradictions: readonly Contradiction[]): string[] {
  const groups = new Map<string, { readonly first: Contradiction; count: number }>();
  for (const each of contradictions) {
    const key = [each.page, each.kind, each.about, each.words].join('\n');
    const group = groups.get(key) ?? { first: each, count: 0 };
    group.count += 1;
    groups.set(key, group);
  }
  return [...groups.values()].map(
    ({ first: { page, kind, about, words, truth }, count }) =>
      `${page}: ${kind} (${count} times): ${about}: “${words}”; the manager said: ${truth}`,
  );
}
