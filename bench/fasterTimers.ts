/** Speeds up the timers of a page: hours of use in minutes. */

/** Runs in the page before its scripts: divides every timer's delay by `factor`. The clock is unchanged. */
export function speedUpTimers(factor: number): void {
  for (const name of ['setTimeout', 'setInterval']) {
    const timer = Reflect.get(globalThis, name) as (...input: unknown[]) => unknown;
    Reflect.set(globalThis, name, (call: unknown, delay: unknown = 0, ...input: unknown[]) =>
      timer(call, Number(delay) / factor, ...input),
    );
  }
}
