/** Makes a page live faster than it does: hours of use in minutes. */

/** Runs in the page before its own scripts: every timer comes so much earlier. Times that are read stay right. */
export function hurry(factor: number): void {
  for (const name of ['setTimeout', 'setInterval']) {
    const timer = Reflect.get(globalThis, name) as (...input: unknown[]) => unknown;
    Reflect.set(globalThis, name, (call: unknown, delay: unknown = 0, ...input: unknown[]) =>
      timer(call, Number(delay) / factor, ...input),
    );
  }
}
