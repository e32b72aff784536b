/**
 * Sets the default timeout of `vi.waitFor` to 60 s, which only ends tests that hang: Vitest's default of 1 s is too short on
 * a busy machine. Passing tests don't wait longer.
 *
 * With `TEST_CLOCK_FACTOR` (`npm run test:stability`), the monotonic clock of the code under test runs this many times as fast,
 * as on a machine that makes little progress. The clocks that tests replace are not affected.
 */
import { afterAll, vi } from 'vitest';

const timeout = 60_000;
const hasLongTimeout = Symbol.for('lab-manager.long-timeout');
type WaitFor = typeof vi.waitFor & { [hasLongTimeout]?: true };

// Files that share a worker share its `vi`.
const originalWaitFor: WaitFor = vi.waitFor;
if (originalWaitFor[hasLongTimeout] === undefined) {
  const waitLonger: typeof vi.waitFor = (callback, options = {}) =>
    originalWaitFor(callback, typeof options === 'number' ? options : { timeout, ...options });
  vi.waitFor = Object.assign(waitLonger, { [hasLongTimeout]: true as const });
}

const factor = Number(process.env['TEST_CLOCK_FACTOR'] ?? 1);
if (factor !== 1) {
  const readTime = performance.now.bind(performance);
  const original = performance.now;
  performance.now = () => readTime() * factor;
  // Vitest measures its limits by the clock that it finds when the next file of this process begins.
  afterAll(() => {
    performance.now = original;
  });
}

// Testing Library's default of 1 s is as short.
if ('document' in globalThis) {
  const { configure } = await import('@testing-library/dom');
  configure({ asyncUtilTimeout: timeout });
}
