/**
 * Lets the steady clock of the code under test run this many times as fast, as on a machine that makes little progress
 * (`npm run test:stability`). The clocks that tests replace are not affected.
 */
const factor = Number(process.env['TEST_CLOCK_FACTOR'] ?? 1);
const holder: { now(): number; isFast?: true } = performance;

// Files that share a worker share its `performance`.
if (factor !== 1 && holder.isFast === undefined) {
  const readTime = holder.now.bind(performance);
  Object.assign(holder, { now: () => readTime() * factor, isFast: true });
}
