import { setTimeout as sleep } from 'node:timers/promises';

/** The limit in ms of waits and requests of tests, which only ends tests that hang. */
export const hangMs = 60_000;

/** Repeats the call until its result `matches`; after the timeout the error shows the last result. */
export async function pollUntil<T>(
  request: () => Promise<T>,
  matches: (value: T) => boolean,
  timeoutMs = hangMs,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await request();
    if (matches(value)) return value;
    if (Date.now() > deadline)
      throw new Error(`Not within ${timeoutMs / 1000} s; last: ${JSON.stringify(value).slice(0, 2000)}`);
    await sleep(100);
  }
}
