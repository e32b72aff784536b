/** Measures CPU time, wake-ups and memory of the processes of a program on Linux. Source: proc(5). */
import { readdirSync, readFileSync } from 'node:fs';

/** The resources that one process, or all processes of a program, have used. */
export interface Costs {
  /** CPU time since the start, in ms. */
  readonly cpuMs: number;
  /** The number of voluntary context switches; each is followed by a wake-up. */
  readonly wakeups: number;
  /** Proportional share of the memory, in MB: memory that the processes share counts once. */
  readonly pssMb: number;
}

/** Returns the total of the processes since their start. A process that ends during the measurement counts as zero. */
export function readCosts(pids: readonly number[]): Costs {
  const all = pids.map(readProcessCosts);
  const sum = (select: (costs: Costs) => number) => all.reduce((total, costs) => total + select(costs), 0);
  return { cpuMs: sum(({ cpuMs }) => cpuMs), wakeups: sum(({ wakeups }) => wakeups), pssMb: sum(({ pssMb }) => pssMb) };
}

/** Returns the PIDs of a process and of all its descendants. */
export function processTree(pid: number): number[] {
  const children = list(`/proc/${pid}/task`).flatMap((thread) =>
    readOrEmpty(`/proc/${pid}/task/${thread}/children`).split(' ').map(Number),
  );
  return [pid, ...children.filter((child) => child > 0).flatMap(processTree)];
}

function readProcessCosts(pid: number): Costs {
  const threads = list(`/proc/${pid}/task`);
  let cpuMs = 0;
  let wakeups = 0;
  for (const thread of threads) {
    const folder = `/proc/${pid}/task/${thread}`;
    cpuMs += Number(readOrEmpty(`${folder}/schedstat`).split(' ')[0]) / 1e6;
    wakeups += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readOrEmpty(`${folder}/status`))?.[1] ?? 0);
  }
  const pssMb = Number(/^Pss:\s+(\d+)/m.exec(readOrEmpty(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;
  return { cpuMs, wakeups, pssMb };
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // The process has ended.
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return ''; // The process has ended.
  }
}
