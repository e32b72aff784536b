import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const folders = ['api', 'server', 'electron', 'dashboard', 'build', 'demo', 'e2e/network'];
const include = folders.map((folder) => `${folder}/**/*.test.ts`);

/** Files that put something in the place of a module, which must not reach another file's tests. */
const mocking = folders
  .flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => /\bvi\.(mock|doMock)\(/.test(readFileSync(join(import.meta.dirname, file), 'utf8')));

export default defineConfig({
  test: {
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // Service tests mostly wait; a core less than there are would make two cores one.
    maxWorkers: '100%',
    testTimeout: 20_000,
    projects: [
      // A worker loads each module once, not once for each file: that took more than half of the time.
      { extends: true, test: { name: 'unit', include, exclude: mocking, isolate: false } },
      { extends: true, test: { name: 'mocking', include: mocking } },
    ],
  },
});
