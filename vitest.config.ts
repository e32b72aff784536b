import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';

const folders = ['api', 'server', 'electron', 'dashboard', 'build', 'demo', 'e2e/network', 'e2e/soak'];
const files = folders.flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true })
    .map((file) => `${folder}/${String(file).replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts')),
);
/** The test files whose names have this word before the suffix of tests; `''`: those without one. */
const ofKind = (kind: string) => files.filter((file) => (/\.(\w+)\.test\.ts$/.exec(file)?.[1] ?? '') === kind);
/** The tests of the build tools; those of the guide and the documents test the product. */
const isOfTools = (file: string) => /^build\/(?!docs\/|guide\/)/.test(file);
const pure = ofKind('').filter((file) => !isOfTools(file));
/** Files that replace a module, which must not affect other files. */
const contains = (file: string, pattern: RegExp) => pattern.test(readFileSync(join(import.meta.dirname, file), 'utf8'));
const replacesModules = (file: string) => contains(file, /\bvi\.(mock|doMock)\(/);
/** Tests with many examples: few in the project `pure`, many in `properties` and `service`. */
const hasManyExamples = (file: string) => contains(file, /fast-check|testBudget\(/);
const manyExamples = { PROPERTY_RUNS: '500' };
/**
 * Packages that are bundled into one module each, because every test file of `mounted` loads them again. Those that
 * share instances, as CodeMirror's do, are bundled together.
 */
const optimized = [
  'reka-ui',
  'vue',
  'vue-router',
  '@vueuse/core',
  '@tanstack/vue-query',
  '@mdi/js',
  '@testing-library/dom',
  '@codemirror/view',
  '@codemirror/language',
  '@codemirror/state',
  '@codemirror/search',
  '@codemirror/lint',
  '@codemirror/lang-yaml',
  '@codemirror/commands',
  '@codemirror/autocomplete',
  '@lezer/highlight',
];
const setupFiles = ['build/test/leftovers.ts', 'build/test/propertySeed.ts', 'build/test/timeouts.ts'];
const pureSetupFiles = ['build/test/pureTests.ts', ...setupFiles];

export default defineConfig({
  test: {
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // With a single worker, Vitest runs all files of the project `mounted` in one context.
    maxWorkers: Math.max(2, availableParallelism()),
    // These limits only end tests that hang: they are far beyond the duration of a passing test on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Failures are read in a log: print the compared values, not only their size.
    chaiConfig: { truncateThreshold: 2000 },
    // Reka UI warns unless its own heading component is used; the dialogs are labelled by their own headings, which the
    // tests check.
    onConsoleLog: (log) => !/`DialogContent` requires|for DialogContent\./.test(log),
    projects: [
      // No sockets, no processes. A worker loads each module once instead of once per file: more than half of the time.
      {
        extends: true,
        test: {
          name: 'pure',
          include: pure.filter((file) => !replacesModules(file)),
          setupFiles: pureSetupFiles,
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'isolated', include: pure.filter(replacesModules), setupFiles: pureSetupFiles },
      },
      {
        extends: true,
        plugins: [vue()],
        // A context per file in a lasting process takes a third less time than a process per file.
        test: {
          name: 'mounted',
          include: ofKind('mounted'),
          environment: 'happy-dom',
          pool: 'vmForks',
          deps: { optimizer: { client: { enabled: true, include: optimized } } },
          setupFiles: ['build/test/leftovers.ts', 'build/test/timeouts.ts', 'build/test/vueDevtools.ts'],
        },
      },
      // The service's contract on real sockets.
      { extends: true, test: { name: 'contract', include: ofKind('contract'), setupFiles } },
      {
        extends: true,
        test: {
          name: 'properties',
          include: pure.filter(hasManyExamples),
          setupFiles: pureSetupFiles,
          env: manyExamples,
        },
      },
      { extends: true, test: { name: 'tools', include: files.filter(isOfTools), setupFiles } },
      // Sockets, processes and files that other processes use.
      {
        extends: true,
        test: {
          name: 'service',
          include: ofKind('service').filter((file) => !isOfTools(file)),
          env: manyExamples,
          setupFiles,
        },
      },
    ],
  },
});
