/** What a program with several processes costs, as Linux counts it: processor, wake-ups, memory. Source: proc(5). */
import { readdirSync, readFileSync } from 'node:fs';

/** All processes of a program together, or one of them. */
export interface Costs {
  /** Time on a processor since the start, in ms. */
  readonly cpuMs: number;
  /** How often a thread gave its processor up of its own accord, and so was woken again. */
  readonly wakeups: number;
  /** Proportional share of the memory, in MB: what processes share counts once among them. */
  readonly pssMb: number;
}

/** What processes have cost so far. Those that end while they are looked at cost nothing. */
export function costsOf(pids: readonly number[]): Costs {
  const all = pids.map(costsOfOne);
  const sum = (of: (costs: Costs) => number) => all.reduce((total, costs) => total + of(costs), 0);
  return { cpuMs: sum(({ cpuMs }) => cpuMs), wakeups: sum(({ wakeups }) => wakeups), pssMb: sum(({ pssMb }) => pssMb) };
}

/** A process and all that it started, and those in their turn. */
export function withChildren(pid: number): number[] {
  const children = list(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').map(Number),
  );
  return [pid, ...children.filter((child) => child > 0).flatMap(withChildren)];
}

function costsOfOne(pid: number): Costs {
  const threads = list(`/proc/${pid}/task`);
  let cpuMs = 0;
  let wakeups = 0;
  for (const thread of threads) {
    const folder = `/proc/${pid}/task/${thread}`;
    cpuMs += Number(read(`${folder}/schedstat`).split(' ')[0]) / 1e6;
    wakeups += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(read(`${folder}/status`))?.[1] ?? 0);
  }
  const pssMb = Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;
  return { cpuMs, wakeups, pssMb };
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // It has ended.
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return ''; // It has ended.
  }
}
