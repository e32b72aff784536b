/**
 * Sets a fixed seed for property tests, so that a commit gives the same result on every machine. `PROPERTY_SEED=…` (an
 * integer, or `random`) sets another seed, `PROPERTY_RUNS=…` the number of runs.
 */
import * as fc from 'fast-check';

const { PROPERTY_SEED: seed = '20240229', PROPERTY_RUNS: runs } = process.env;
if (seed !== 'random' && !Number.isSafeInteger(Number(seed)))
  throw new Error(`PROPERTY_SEED=${seed}: it must be a whole number or “random”`);
fc.configureGlobal({
  ...(seed === 'random' ? {} : { seed: Number(seed) }),
  ...(runs === undefined ? {} : { numRuns: Number(runs) }),
});
