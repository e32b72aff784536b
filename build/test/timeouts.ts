/**
 * Sets the default timeout of `vi.waitFor` to 60 s, which only ends tests that hang: Vitest's default of 1 s is too short on
 * a busy machine. Passing tests don't wait longer.
 */
import { vi } from 'vitest';

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

// Testing Library's default of 1 s is as short.
if ('document' in globalThis) {
  const { configure } = await import('@testing-library/dom');
  configure({ asyncUtilTimeout: timeout });
}
