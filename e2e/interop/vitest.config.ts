/** The suite for real managers or the demo lab. Its files run one after the other, because all use the same lab. */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Sorts by name, so that the coverage of all files is checked last. */
class ByName extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((a, b) => a.moduleId.localeCompare(b.moduleId)));
  }
}

/** The tests for a lab whose workcell and location managers and nodes are older than the others. */
const olderLabTests = ['location', 'node', 'workcell', 'workflow', 'workflowTraps'];
const behaviour = ['e2e/interop/behaviour/*.test.ts', 'e2e/interop/coverage.test.ts'];
const target = process.env['INTEROP_TARGET'] ?? 'real';

function listTestFiles(): string[] {
  if (target !== 'real') return behaviour;
  if (process.env['LAB_MANAGER_MADSCI_07_PYTHON'] === undefined) return ['e2e/interop/**/*.test.ts'];
  return [...olderLabTests.map((name) => `e2e/interop/behaviour/${name}.test.ts`), 'e2e/interop/coverage.test.ts'];
}

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: listTestFiles(),
    globalSetup: 'e2e/interop/globalSetup.ts',
    fileParallelism: false,
    sequence: { sequencer: ByName },
    setupFiles: 'build/test/timeouts.ts',
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Failures are read in a log: they must show the actual value, not only the number of differences.
    chaiConfig: { truncateThreshold: 2000 },
    hookTimeout: 180_000,
  },
});
