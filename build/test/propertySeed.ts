/**
 * The numbers that property tests start from: the same in each run, so that a commit passes or fails alike everywhere.
 * `PROPERTY_SEED=…` (a whole number, or `random`) looks elsewhere, and `PROPERTY_RUNS=…` longer.
 */
import * as fc from 'fast-check';

const { PROPERTY_SEED: seed = '20240229', PROPERTY_RUNS: runs } = process.env;
if (seed !== 'random' && !Number.isSafeInteger(Number(seed)))
  throw new Error(`PROPERTY_SEED=${seed}: it must be a whole number or “random”`);
fc.configureGlobal({
  ...(seed === 'random' ? {} : { seed: Number(seed) }),
  ...(runs === undefined ? {} : { numRuns: Number(runs) }),
});
