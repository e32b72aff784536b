import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const folders = ['api', 'server', 'electron', 'dashboard', 'build', 'demo', 'e2e/network', 'e2e/soak'];
/** Components in a document: a simulated browser is loaded for these files alone. */
const mounted = ['dashboard/**/*.mounted.test.ts', 'electron/pages/**/*.mounted.test.ts'];
const setupFiles = ['build/test/propertySeed.ts', 'build/test/timeouts.ts'];
const include = folders.map((folder) => `${folder}/**/*.test.ts`);

/**
 * Files that replace a module, which must not affect other files, or count timers, which must not include those that an
 * earlier file left behind.
 */
const isolated = folders
  .flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true }).map(
      (file) => `${folder}/${String(file).replaceAll('\\', '/')}`,
    ),
  )
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => /\bvi\.(mock|doMock|getTimerCount)\(/.test(readFileSync(join(import.meta.dirname, file), 'utf8')));

/** Runs tests that wait for time first, so that the last worker isn't left with one of them. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waits = ({ moduleId }: TestSpecification) => /\.service\.test\.ts$|\/e2e\/network\//.test(moduleId);
    const sorted = await BaseSequencer.prototype.sort.call(this, files);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

export default defineConfig({
  test: {
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // Two more than there are cores: the tests of the service mostly wait.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: WaitingFirst },
    testTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    // Failures are read in a log: print the compared values, not only their size.
    chaiConfig: { truncateThreshold: 2000 },
    // Reka UI warns unless its own heading component is used; the dialogs are labelled by their own headings, which the
    // tests check.
    onConsoleLog: (log) => !/`DialogContent` requires|for DialogContent\./.test(log),
    projects: [
      // A worker loads each module once instead of once per file, which took more than half of the time.
      {
        extends: true,
        test: { name: 'unit', include, exclude: [...isolated, ...mounted], setupFiles, isolate: false },
      },
      { extends: true, test: { name: 'isolated', include: isolated, setupFiles } },
      {
        extends: true,
        plugins: [vue()],
        // A context per file in a lasting process takes a third less time than a process per file.
        test: {
          name: 'mounted',
          include: mounted,
          environment: 'happy-dom',
          pool: 'vmForks',
          setupFiles: ['build/test/timeouts.ts'],
        },
      },
    ],
  },
});
