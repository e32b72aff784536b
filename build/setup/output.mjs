// @ts-check
/** Setup messages go to standard error to keep a program's output clean. */

/** @param {string} text */
export function print(text) {
  process.stderr.write(`[setup] ${text}\n`);
}

/** An unmet requirement of the setup: the message has the cause and the fix. The program exits without a stack trace. */
export class SetupError extends Error {}

/**
 * Runs `work` and prints a progress line every few seconds.
 * @template T
 * @param {string} taskName
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function announce(taskName, work) {
  print(`${taskName} …`);
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const timer = setInterval(() => print(`${taskName}: ${seconds()} s so far`), 10_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    print(`${taskName}: ${seconds()} s`);
  }
}
