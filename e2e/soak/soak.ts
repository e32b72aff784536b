/** Runs a lab under load with pages of the dashboard in a real browser, and reports wrong texts on the pages. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from 'playwright';
import { shiftClock } from '../support/browser/shiftedClock.ts';
import type { ManagerStates } from './managerStates.ts';
import { incidentMs, runIncident, type Stoppable } from './incident.ts';
import { LoadRecord } from './record.ts';
import type { Contradiction } from './truth.ts';
import { Watch, type WatchedPage } from './watch.ts';

/** Keeps a lab busy. */
export interface Load {
  /** Submits another workflow; resolves with its ID. */
  submit(): Promise<string>;
  /** Causes one fault or user action; resolves when it is over. */
  disturb(turn: number): Promise<void>;
  /** The current response of the workcell manager. */
  readStates(): Promise<ManagerStates> | ManagerStates;
}

export interface SoakOptions {
  readonly load: Load;
  readonly context: BrowserContext;
  /** The address of the dashboard. */
  readonly url: string;
  readonly minutes: number;
  readonly workflows: number;
  /** Makes a node unreachable and stops the lab once during the soak, if there is enough time. */
  readonly incident?: Stoppable;
  /** The interval between two reads of the manager, in ms. */
  readonly recordIntervalMs: number;
  readonly log?: (line: string) => void;
}

export interface SoakResult {
  readonly contradictions: readonly Contradiction[];
  /** The number of compared texts. */
  readonly comparedTexts: number;
}

const checkIntervalMs = 400;
const disturbIntervalMs = 4000;
const reportIntervalMs = 30_000;
/** The error of the wrong clock: longer than any soak, so that a duration with this error exceeds the whole run. */
const wrongClockMs = 37 * 60_000;

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { load, context, url, minutes, workflows, recordIntervalMs, log = () => undefined } = options;
  const record = new LoadRecord();
  const watch = new Watch(Date.now(), record);
  let end = Number.POSITIVE_INFINITY;
  const isRunning = () => Date.now() < end;

  const [first = ''] = await Promise.all(Array.from({ length: workflows }, () => load.submit()));
  // Code that tsx compiles for the page calls this function.
  await context.addInitScript({ content: 'globalThis.__name = (value) => value;' });
  const open = async (name: string, path: string, aheadMs = 0): Promise<WatchedPage> => {
    const page = await context.newPage();
    if (aheadMs !== 0) await shiftClock(page, aheadMs);
    watch.follow({ name, page });
    await page.goto(new URL(path, url).href);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { name, page };
  };

  const recording = repeat(isRunning, recordIntervalMs, async () => {
    const startedAt = Date.now();
    const states = await load.readStates();
    watch.recordResponse(states, { requestedAt: startedAt, receivedAt: Date.now() });
  });
  const pages = [
    await open('Overview', ''),
    await open('Workcells', 'workcells'),
    await open('Workflows', 'workflows'),
    // This page runs on a computer with a wrong clock.
    await open('Workflow', `workflows/${first}`, wrongClockMs),
  ] as const;
  // A slow machine needs longer to open the pages.
  end = Date.now() + minutes * 60_000;
  let turn = 0;
  const incident = minutes * 60_000 > incidentMs + 2 * disturbIntervalMs ? options.incident : undefined;
  const disturbing = repeat(isRunning, disturbIntervalMs, async () => {
    if (turn === 1 && incident !== undefined) {
      await runIncident(pages[0].page, incident, record);
      log('the lab was stopped and released');
    }
    turn += 1;
    // The manager may refuse a command, because the workflow has just proceeded.
    await load.disturb(turn).catch((error: unknown) => log(`refused: ${String(error)}`));
  });
  const logging = repeat(isRunning, reportIntervalMs, async () => {
    const { comparedTexts, contradictions, slowestMs, slowestReadMs } = watch;
    const slow = `slowest answer ${Math.round(slowestMs)} ms, slowest page ${Math.round(slowestReadMs)} ms`;
    log(`${comparedTexts} texts compared, ${contradictions.length} contradictions, ${slow}`);
  });
  // It is awaited at the end; an earlier failure must not be an unhandled rejection.
  disturbing.catch(() => undefined);
  await repeat(isRunning, checkIntervalMs, () => Promise.all(pages.map((watched) => watch.readTexts(watched))));
  await Promise.all([recording, disturbing, logging]);
  return { contradictions: watch.contradictions, comparedTexts: watch.comparedTexts };
}

async function repeat(continues: () => boolean, everyMs: number, task: () => Promise<unknown>): Promise<void> {
  while (continues()) {
    await task();
    await sleep(everyMs);
  }
}

/** Returns the contradictions as lines, equal ones once with their count. */
export function describeContradictions(contradictions: readonly Contradiction[]): string[] {
  const groups = new Map<string, { readonly first: Contradiction; count: number }>();
  for (const contradiction of contradictions) {
    const key = [contradiction.page, contradiction.kind, contradiction.subject, contradiction.text].join('\n');
    const group = groups.get(key) ?? { first: contradiction, count: 0 };
    group.count += 1;
    groups.set(key, group);
  }
  return [...groups.values()].map(
    ({ first: { page, kind, subject, text, truth }, count }) =>
      `${page}: ${kind} (${count} times): ${subject}: “${text}”; the manager reported: ${truth}`,
  );
}
