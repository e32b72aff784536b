// @ts-check
/** What setup says goes to standard error, so that a program's own output stays clean. */

/** @param {string} text */
export function print(text) {
  process.stderr.write(`[setup] ${text}\n`);
}

/**
 * Something that setup needs and can't have: what, why, and what to do. It ends the program without a stack.
 */
export class SetupError extends Error {}

/**
 * Runs `work`, and says every few seconds that it goes on.
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function announce(what, work) {
  print(`${what} …`);
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const timer = setInterval(() => print(`${what}: ${seconds()} s so far`), 10_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    print(`${what}: ${seconds()} s`);
  }
}
