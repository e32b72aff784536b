/**
 * How smoothly a page runs, from Chromium's trace: the tasks of the page's main thread and the frames that the page
 * could draw. Each task has a wall time and a CPU time; on a busy machine only the CPU time measures the page.
 */
import type { Browser, Page } from 'playwright';

/** A task or an interval between frames that is longer than this is visible as jank, in ms. */
export const maxTaskMs = 50;

/** Work that occupies the main thread without interruption. */
interface Task {
  /** Wall time, in ms. */
  readonly wallMs: number;
  /** CPU time, in ms. */
  readonly cpuMs: number;
  /** The longest events in the task, outermost first. */
  readonly longestEvents: readonly string[];
}

export interface Smoothness {
  readonly seconds: number;
  /** Tasks over `maxTaskMs`, the longest first. */
  readonly longTasks: readonly Task[];
  /** Tasks whose CPU time exceeds `maxTaskMs`. */
  readonly busyTasks: readonly Task[];
  readonly longestCpuMs: number;
  /** Intervals between consecutive frames, in ms. */
  readonly frameIntervals: readonly number[];
  /** The number of intervals over `maxTaskMs`. */
  readonly lateFrames: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** In µs, like the other times of the trace. */
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly data?: Readonly<Record<string, unknown>> };
}

const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8'];

/** Traces `page` while `action` runs. */
export async function measureSmoothness(
  browser: Browser,
  page: Page,
  action: () => Promise<void>,
): Promise<Smoothness> {
  await page.evaluate(watchFrames);
  await browser.startTracing(page, { categories });
  const started = performance.now();
  await page.evaluate(() => performance.mark('bench-begin'));
  await action();
  const frames = await page.evaluate(() => {
    const recorder = Reflect.get(globalThis, 'benchFrames') as { times: number[]; stop: boolean };
    recorder.stop = true;
    return recorder.times;
  });
  const seconds = (performance.now() - started) / 1000;
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const tasks = mainTasks(trace.traceEvents);
  const gaps = frames.slice(1).map((time, index) => time - (frames[index] ?? time));
  return {
    seconds,
    longTasks: tasks.filter(({ wallMs }) => wallMs > maxTaskMs),
    busyTasks: tasks.filter(({ cpuMs }) => cpuMs > maxTaskMs).toSorted((a, b) => b.cpuMs - a.cpuMs),
    longestCpuMs: Math.max(0, ...tasks.map(({ cpuMs }) => cpuMs)),
    frameIntervals: gaps,
    lateFrames: gaps.filter((gap) => gap > maxTaskMs).length,
  };
}

/** Runs in the page: records when each frame is drawn. */
function watchFrames(): void {
  const recorder = {
    times: [] as number[],
    stop: false,
    record(time: number): void {
      recorder.times.push(time);
      if (!recorder.stop) requestAnimationFrame(recorder.record);
    },
  };
  Reflect.set(globalThis, 'benchFrames', recorder);
  requestAnimationFrame(recorder.record);
}

/** All tasks of the main thread of the traced page, the longest first. */
function mainTasks(events: readonly TraceEvent[]): Task[] {
  const beginEvent = events.find(({ name }) => name === 'bench-begin');
  const rendererThreads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const mainThreads =
    beginEvent === undefined
      ? rendererThreads
      : new Set([...rendererThreads].filter((thread) => thread.startsWith(`${beginEvent.pid} `)));
  const mainEvents = events.filter(({ ph, pid, tid }) => ph === 'X' && mainThreads.has(`${pid} ${tid}`));
  const innerEvents = mainEvents.filter(({ name }) => !/RunTask/.test(name));
  return mainEvents
    .filter(({ name }) => name === 'RunTask')
    .map((task) => ({
      wallMs: (task.dur ?? 0) / 1000,
      cpuMs: (task.tdur ?? task.dur ?? 0) / 1000,
      longestEvents: longestEventsIn(task, innerEvents),
    }))
    .toSorted((a, b) => b.wallMs - a.wallMs);
}

function longestEventsIn(task: TraceEvent, events: readonly TraceEvent[]): string[] {
  if ((task.dur ?? 0) / 1000 < maxTaskMs) return [];
  const end = task.ts + (task.dur ?? 0);
  return events
    .filter(({ ts, dur = 0 }) => ts >= task.ts && ts + dur <= end && dur > (task.dur ?? 0) / 5)
    .toSorted((a, b) => (b.dur ?? 0) - (a.dur ?? 0))
    .slice(0, 5)
    .map(({ name, dur = 0, args }) => {
      const { functionName = '', url = '', lineNumber = '', columnNumber = '', type = '' } = args?.data ?? {};
      const location = [type, functionName, String(url).split('/').at(-1), lineNumber, columnNumber].filter(Boolean);
      return `${name} ${Math.round(dur / 1000)} ms${location.length > 0 ? ` (${location.join(' ')})` : ''}`;
    });
}
