/**
 * `vi.waitFor` waits up to 10 s for what a test expects, unless the test says how long: its own second is little on a
 * machine that does something else as well. Whoever doesn't fail waits no longer than before.
 */
import { vi } from 'vitest';

const timeout = 10_000;
const isPatient = Symbol.for('lab-manager.patient');
type WaitFor = typeof vi.waitFor & { [isPatient]?: true };

// Files that share a worker share its `vi`.
const before: WaitFor = vi.waitFor;
if (before[isPatient] === undefined) {
  const patient: typeof vi.waitFor = (callback, options = {}) =>
    before(callback, typeof options === 'number' ? options : { timeout, ...options });
  vi.waitFor = Object.assign(patient, { [isPatient]: true as const });
}

// Components in a document are waited for by Testing Library, whose own second is as little.
if ('document' in globalThis) {
  const { configure } = await import('@testing-library/dom');
  configure({ asyncUtilTimeout: timeout });
}
